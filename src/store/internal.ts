// What the floors above share with the store and users do not need.
export { inDevelopment } from './development.js'
export * from './index.js'
