// All of the kit in one file: what is loaded at once and what is loaded on demand.
export * from '../src/components/bodies/late-bodies.js'
export * from '../src/index.js'
