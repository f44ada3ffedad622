import type { SharedMaps } from './doc-maps.js'
import { ownerOf, questionOf, readAnswerEntry, readQuestion, readRefusal } from './wire.js'

/** How long what a gone owner left stays in the document, in milliseconds. */
const STALE = 60 * 60 * 1000

/** Removes what nobody will take care of any more. What cannot be read is left: it may be of a later version. */
export function sweep(maps: SharedMaps, isLive: (owner: string) => boolean): void {
  const { questions, answers, refused, beats } = maps
  // A clock may be wrong in either direction; an owner that lives after all writes its questions again.
  const isStale = (at: unknown): boolean => typeof at === 'number' && Math.abs(Date.now() - at) > STALE
  const gone = [...questions].filter(([key, text]) => !isLive(ownerOf(key)) && isStale(readQuestion(text)?.at))
  const lost = [...answers].filter(
    ([key, text]) => !questions.has(questionOf(key)) && isStale(readAnswerEntry(text)?.at),
  )
  const unread = [...refused].filter(([key, text]) => !questions.has(questionOf(key)) && isStale(readRefusal(text)?.at))
  const silent = [...beats].filter(([owner, at]) => !isLive(owner) && isStale(at))
  if (gone.length + lost.length + unread.length + silent.length === 0) return
  maps.write(() => {
    for (const [key] of gone) questions.delete(key)
    for (const [key] of lost) answers.delete(key)
    for (const [key] of unread) refused.delete(key)
    for (const [owner] of silent) beats.delete(owner)
  })
}
