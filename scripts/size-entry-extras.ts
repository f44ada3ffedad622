// The kit, and what is loaded when several questions wait or a list of decisions is shown.
export * from '../src/components/extras/late-extras.js'
export * from '../src/index.js'
