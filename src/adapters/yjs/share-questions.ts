import type { Doc } from 'yjs'
import { type Answer, messageOf, newId } from '../../core/internal.js'
import type { PendingItem, Runner } from '../../store/types.js'
import { asksForSecret } from './asks-secret.js'
import { sharedMaps } from './doc-maps.js'
import { GRACE, watchOwners } from './liveness.js'
import { askedOf, noteOf } from './outcome-of.js'
import { ownEntries } from './own-entries.js'
import {
  type Awareness,
  joinAwareness,
  lookersAt,
  lookingAt,
  type Part,
  type Presence,
  type SharedUser,
  watchVisibility,
} from './presence.js'
import { rolesOf } from './roles.js'
import { sweep } from './sweep.js'
import { coalesce, every, guarded, onPage } from './timers.js'
import { type NotTaken, type SharedQuestion, type Verify, weighAnswer } from './weigh-answer.js'
import { finalView, usualView } from './what-leaves.js'
import { isTooLong, ownerOf, questionOf, type SharedView, writeEntry } from './wire.js'

/** What the owner is told; never an answer's data. */
export type ShareEvent =
  | { type: 'shared'; item: PendingItem }
  | { type: 'kept'; item: PendingItem; why: string }
  | { type: 'taken'; item: PendingItem; ok: boolean; by: unknown }
  | { type: 'refused'; item: PendingItem; why: NotTaken; by: unknown }

export interface ShareQuestionsOptions {
  doc: Doc
  /** The provider's; without it a beat is written to the document while questions are open. Both sides or neither. */
  awareness?: Awareness | undefined
  /** Keeps several uses in one document apart. */
  name?: string | undefined
  /** Who this side says it is; shown to the others. JSON. */
  user?: SharedUser | undefined
  /** What may leave of a question, from what usually would; undefined for nothing. One that throws lets nothing go. */
  share?: ((item: PendingItem, usual: SharedView) => SharedView | undefined) | undefined
  /** Asked of each answer from elsewhere; all but true is no, and so is a throw. Without it whoever can write to the document can answer. */
  verify?: Verify | undefined
  onEvent?: ((event: ShareEvent) => void) | undefined
  /** How long a silent owner counts as there, in milliseconds; default 90 seconds. */
  grace?: number | undefined
}

export interface Shared extends Presence {
  /** Takes the open questions out of the document. They stay open here. */
  dispose(): void
}

interface Taken {
  readonly answer: Answer
  readonly by: unknown
  readonly entry: string
}

const BEATS_PER_GRACE = 6

/**
 * Puts a runner's open questions into a shared document and takes the first valid answer to each (DESIGN 6). The runner
 * stays their owner: it alone executes.
 */
export function shareQuestions(runner: Runner, options: ShareQuestionsOptions): Shared {
  const { doc, awareness, name, user, verify, grace = GRACE } = options
  const maps = sharedMaps(doc, name)
  const { questions, answers, beats } = maps
  const owner = newId('own')
  const own = ownEntries(maps, owner)
  const { owners, joined } = rolesOf(runner)
  // By the number that is never used again: a runner's keys come back.
  const known = new Map<number, SharedQuestion | undefined>()
  const open = new Map<string, SharedQuestion>()
  const taken = new Map<SharedQuestion, Taken>()
  const weighing = new Map<string, string>()
  const listeners = new Set<() => void>()
  let disposed = false

  const tell = (event: ShareEvent): void => {
    try {
      if (options.onEvent) options.onEvent(event)
      else if (event.type === 'refused') console.warn(`assent: an answer from elsewhere was not taken (${event.why}).`)
      else if (event.type === 'kept') console.warn(`assent: a question was not shared (${event.why}).`)
    } catch (error) {
      console.error('assent: onEvent threw.', error)
    }
  }

  const begin = (item: PendingItem): void => {
    known.set(item.seq, undefined)
    // What was joined from others is theirs to share, and what another tab of this origin asks is that tab's.
    if (joined.has(item.request.id) || item.restored === 'tab') return
    const { text, why } = textToShare(item, options)
    if (text === undefined) {
      tell({ type: 'kept', item, why: why ?? '' })
      return
    }
    const question = { key: `${owner}/${item.seq}`, item, text }
    known.set(item.seq, question)
    open.set(question.key, question)
    own.open(question.key, text)
    tell({ type: 'shared', item })
  }

  const end = (seq: number, question: SharedQuestion | undefined): void => {
    known.delete(seq)
    if (!question) return
    const { key, item } = question
    open.delete(key)
    const outcome = outcomeOf(runner, item, taken.get(question), user)
    taken.delete(question)
    own.settle(key, writeEntry({ state: 'settled', at: Date.now(), ...outcome }))
  }

  /** What opened and what was settled since the last time. */
  const follow = (): void => {
    const { pending } = runner.getState()
    const now = new Set(pending.map(({ seq }) => seq))
    const over = [...known].filter(([seq]) => !now.has(seq))
    if (over.length > 0) {
      maps.write(() => {
        for (const [seq, question] of over) end(seq, question)
      })
    }
    for (const item of pending) if (!known.has(item.seq)) begin(item)
  }

  const readAnswers = (): void => {
    for (const [entry, text] of answers) {
      const key = questionOf(entry)
      if (ownerOf(key) !== owner) continue
      const question = open.get(key)
      if (!question || typeof text !== 'string') own.dropAnswer(entry, text)
      else if (weighing.get(entry) !== text) {
        weighing.set(entry, text)
        void consider(question, entry, text)
      }
    }
  }

  const consider = async (question: SharedQuestion, entry: string, text: string): Promise<void> => {
    const { item } = question
    const { said, why } = await weighAnswer(question, text, verify)
    weighing.delete(entry)
    if (disposed) return
    if (said && !why && take(question, { answer: said.answer, by: said.by, entry })) {
      tell({ type: 'taken', item, ok: said.answer.ok, by: said.by })
      followed()
    } else {
      const reason = why ?? 'too late'
      own.dropAnswer(entry, text, open.get(question.key) === question ? reason : undefined)
      tell({ type: 'refused', item, why: reason, by: said?.by })
    }
  }

  const take = (question: SharedQuestion, given: Taken): boolean => {
    const { key, item } = question
    // The key alone would not do: a later question may have it.
    if (open.get(key) !== question || runner.find(item.key) !== item) return false
    taken.set(question, given)
    const isTaken = runner.answer(item.key, given.answer)
    if (!isTaken) taken.delete(question)
    return isTaken
  }

  const part: Part = { user, owner }
  const liveness = watchOwners(maps, awareness, grace, () => {})
  const presence = joinAwareness(awareness, part, () => {
    liveness.update()
    for (const listener of listeners) listener()
  })
  const look = guarded(() => {
    const head = runner.head()
    part.looking = lookingAt(head && known.get(head.seq)?.key)
    presence.say()
  })

  const beat = guarded(() => {
    if (!awareness && open.size > 0 && !own.isRetracted()) maps.write(() => beats.set(owner, Date.now()))
  })
  const followed = guarded(() => {
    const isFirst = open.size === 0
    follow()
    if (isFirst) beat()
    look()
  })
  const onDocument = coalesce(() => {
    if (own.isRetracted()) return
    own.repair()
    readAnswers()
  })
  owners.add(owner)
  questions.observe(onDocument.call)
  answers.observe(onDocument.call)
  const stop = [
    runner.subscribe(followed),
    watchVisibility(look),
    every(grace / BEATS_PER_GRACE, beat),
    every(
      grace,
      guarded(() => sweep(maps, (id) => owners.has(id) || liveness.isLive(id))),
    ),
    // A page that is left takes its questions along; one that comes back from the browser's cache brings them again.
    onPage('pagehide', guarded(own.retract)),
    onPage('pageshow', guarded(own.putBack)),
  ]
  followed()

  return {
    lookers(key) {
      const item = runner.find(key)
      return lookersAt(awareness, item && known.get(item.seq)?.key)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispose() {
      if (disposed) return
      disposed = true
      for (const end of stop) end()
      onDocument.stop()
      questions.unobserve(onDocument.call)
      answers.unobserve(onDocument.call)
      guarded(own.retract)()
      liveness.stop()
      presence.leave()
      owners.delete(owner)
    },
  }
}

/** A question as it leaves, or why it does not. */
function textToShare(item: PendingItem, { share, user }: ShareQuestionsOptions): { text?: string; why?: string } {
  if (asksForSecret(item)) return { why: 'it asks for a secret' }
  try {
    const usual = usualView(item)
    const given = share ? share(item, usual) : usual
    if (!given) return { why: 'share kept it' }
    const view = { ...finalView(item, given), isGate: item.isGate }
    const text = writeEntry({ state: 'open', at: item.askedAt, user, view })
    return isTooLong(text) ? { why: 'it is too long' } : { text }
  } catch (error) {
    return { why: messageOf(error) }
  }
}

/** What the others are told of a settled question: by whom, when a person decided. */
function outcomeOf(runner: Runner, item: PendingItem, taken: Taken | undefined, user: SharedUser | undefined) {
  if (taken) {
    const { ok, reason } = taken.answer
    return { ok, reason, by: taken.by, answer: taken.entry }
  }
  const note = noteOf(runner, askedOf(item))
  if (!note) return {}
  const by = note.by === 'person' ? user : undefined
  return note.decision === 'approved' ? { ok: true, by } : { ok: false, by, reason: note.decision }
}
