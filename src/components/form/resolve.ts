export { type Node, resolve } from '../../core/schema/resolve.js'
