// The kit and the bodies that are loaded on demand.
export * from '../src/components/bodies/late-bodies.js'
export * from '../src/index.js'
