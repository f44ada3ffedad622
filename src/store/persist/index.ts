// The part of the runner that is loaded where questions outlast the page.
export { createHost } from './host.js'
export { createKeeper } from './keeper.js'
