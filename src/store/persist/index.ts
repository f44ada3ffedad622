// The part of the runner that is loaded where questions outlast the page.
export { createKeeper } from './keeper.js'
