// The part of the kit that is loaded when several questions wait, or when a list of what was decided is shown.
export { DecisionList } from './decision-list.js'
export { PermissionList } from './permission-list.js'
export { watchBatch } from './watch-batch.js'
