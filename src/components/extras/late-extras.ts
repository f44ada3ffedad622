// The part of the kit that is loaded when several questions wait, or when a list of decisions or of calls is shown.
export { DecisionList } from './decision-list.js'
export { PermissionList } from './permission-list.js'
export { RunList } from './run-list.js'
export { watchBatch } from './watch-batch.js'
