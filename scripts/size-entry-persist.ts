// The kit, and what is loaded where questions outlast the page.
export * from '../src/index.js'
export * from '../src/store/persist/index.js'
