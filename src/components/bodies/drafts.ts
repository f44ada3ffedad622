import type { PendingItem } from '../../store/index.js'

/**
 * What was typed for a question so far, by the question itself: a draft outlives the view (previous and next, a route
 * change) and never another question with the same id. In memory only (DESIGN 5.4).
 */
export function createDrafts<T>(create: (item: PendingItem) => T): (item: PendingItem) => T {
  const drafts = new WeakMap<PendingItem, T>()
  return (item) => {
    const draft = drafts.get(item) ?? create(item)
    drafts.set(item, draft)
    return draft
  }
}
