import type { Doc } from 'yjs'
import { type Answer, messageOf, newId, type PendingRequest, type RefusalReason } from '../../core/internal.js'
import type { PendingItem, Runner } from '../../store/types.js'
import { askerOf, asRequest } from './as-request.js'
import { sharedMaps } from './doc-maps.js'
import { type JoinWords, joinWords, type WhyNotTaken } from './join-words.js'
import { GRACE, watchOwners } from './liveness.js'
import { askedOf, noteOf } from './outcome-of.js'
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
import { coalesce, every, guarded } from './timers.js'
import { ownerOf, type QuestionEntry, readQuestion, readRefusal, type SharedView, writeEntry } from './wire.js'

/** What became of a question that was shown here. */
export interface SharedOutcome {
  /** The question's key in this runner. */
  readonly key: string
  readonly request: PendingRequest
  /** Whether the answer given here is the one that was taken; undefined when none was given here. */
  readonly taken: boolean | undefined
  /** Why the answer given here was not taken, where that is known. */
  readonly why: WhyNotTaken | undefined
  /** What was decided; undefined when the owner does not say, or the answer was not taken and the question is asked again. */
  readonly ok: boolean | undefined
  readonly reason: RefusalReason | undefined
  /** Who decided, as they say. */
  readonly by: unknown
}

export interface JoinQuestionsOptions {
  doc: Doc
  awareness?: Awareness | undefined
  /** As on the side that shares. */
  name?: string | undefined
  /** Who answers here; goes with each answer as a claim. JSON. */
  user?: SharedUser | undefined
  /** What proves who answers, made from the text of the answer; the owner's `verify` gets both. */
  sign?: ((statement: string) => unknown) | undefined
  /** Whether who asks is vouched for. Default false: the dialogs say that it is not verified. */
  trusted?: boolean | undefined
  /** What the person is told in this side's own words; default English. */
  words?: Partial<JoinWords> | undefined
  onAnswered?: ((outcome: SharedOutcome) => void) | undefined
  /** How long a silent owner counts as there, in milliseconds; default 90 seconds. */
  grace?: number | undefined
}

export interface Joined extends Presence {
  /** Takes the questions off the screen without an answer. */
  dispose(): void
}

type OpenQuestion = QuestionEntry & { state: 'open' }

interface Asked {
  readonly key: string
  readonly text: string
  readonly entry: OpenQuestion
  readonly request: PendingRequest
  readonly controller: AbortController
  /** The question as it is open here. */
  item?: PendingItem | undefined
  /** The entry of the answer given here. */
  answered?: string | undefined
}

/** What a question opened in the runner, if it did: its key may be another than asked for. */
function opened(runner: Runner, id: string, before: readonly PendingItem[]): PendingItem | undefined {
  const known = new Set(before)
  return runner.getState().pending.find((item) => item.request.id === id && !known.has(item))
}

// More open questions than this are nobody's to answer.
const MAX_SHOWN = 500

/** Shows the questions of other owners in a runner and writes what the person answers into the shared document (DESIGN 6). Nothing executes here. */
export function joinQuestions(runner: Runner, options: JoinQuestionsOptions): Joined {
  const { doc, awareness, name, user, sign, trusted = false, onAnswered, grace = GRACE } = options
  const maps = sharedMaps(doc, name)
  const { questions, answers, refused } = maps
  const words = joinWords(options.words)
  const me = newId('ans')
  const { owners, joined } = rolesOf(runner)
  const asked = new Map<string, Asked>()
  /** Why the last answer given here to a question came to nothing. */
  const failed = new Map<string, WhyNotTaken | undefined>()
  const listeners = new Set<() => void>()
  let disposed = false

  const tell = ({ key, item, request }: Asked, outcome: Omit<SharedOutcome, 'key' | 'request'>): void => {
    try {
      onAnswered?.({ key: item?.key ?? key, request, ...outcome })
    } catch (error) {
      console.error('assent: onAnswered threw.', error)
    }
  }

  const entryOf = (key: string): string => `${key}/${me}`

  const close = (one: Asked): void => {
    asked.delete(one.key)
    joined.delete(one.key)
    one.controller.abort()
  }

  const isCurrent = (one: Asked): boolean => asked.get(one.key) === one

  const ask = async (one: Asked): Promise<void> => {
    const { key, request, controller } = one
    const { view, user: sharedBy } = one.entry
    joined.add(key)
    const asker = askerOf(sharedBy, view, trusted)
    const { pending } = runner.getState()
    // It rests in the document: what is stored here would be shown beside it after a reload.
    const answering = runner.waitFor(request, { signal: controller.signal, asker, persist: false })
    const item = opened(runner, key, pending)
    one.item = item
    const answer = await answering
    if (!isCurrent(one)) return
    // Only what a person said is an answer: a runner that is disposed or full, or whose clock is ahead, has none.
    const isSaid = answer.ok || (item && noteOf(runner, askedOf(item))?.by === 'person')
    if (isSaid) await send(one, { ...answer, id: view.request.id })
  }

  const send = async (one: Asked, answer: Answer): Promise<void> => {
    const { key, text } = one
    const said = JSON.stringify({ key, seen: text, answer, by: user })
    const proof = await proofOf(said)
    if (!isCurrent(one)) return
    if ('error' in proof) {
      console.error(`assent: an answer could not be signed: ${messageOf(proof.error)}`)
      return again(one, 'not signed')
    }
    const entry = entryOf(key)
    one.answered = entry
    maps.write(() => {
      refused.delete(entry)
      answers.set(entry, writeEntry({ at: Date.now(), said, ...proof }))
    })
  }

  const proofOf = async (said: string): Promise<{ proof?: unknown } | { error: unknown }> => {
    try {
      return sign ? { proof: await sign(said) } : {}
    } catch (error) {
      return { error }
    }
  }

  /** An answer given here came to nothing: that is said, also where the question is asked again. */
  const lose = (one: Asked, why: WhyNotTaken | undefined = readRefusal(refused.get(entryOf(one.key)))?.why): void => {
    failed.delete(one.key)
    failed.set(one.key, why)
    const [oldest] = failed.keys()
    if (oldest !== undefined && failed.size > MAX_SHOWN) failed.delete(oldest)
    tell(one, { taken: false, why, ok: undefined, reason: undefined, by: undefined })
  }

  /** An answer that came to nothing is asked for again. */
  const again = (one: Asked, why?: WhyNotTaken): void => {
    close(one)
    lose(one, why)
    onDocument.call()
  }

  /** The open questions of others that live, oldest first. */
  const shown = (): [key: string, text: string, question: OpenQuestion][] =>
    [...questions]
      .flatMap(([key, text]): ReturnType<typeof shown> => {
        const owner = ownerOf(key)
        if (owner === '' || owners.has(owner) || !liveness.isLive(owner) || typeof text !== 'string') return []
        // What is shown already was read already.
        const entry = asked.get(key)?.text === text ? asked.get(key)?.entry : readQuestion(text)
        return entry?.state === 'open' ? [[key, text, entry]] : []
      })
      .sort(([, , a], [, , b]) => a.at - b.at)
      .slice(0, MAX_SHOWN)

  const settledOf = (key: string): (QuestionEntry & { state: 'settled' }) | undefined => {
    const entry = readQuestion(questions.get(key))
    return entry?.state === 'settled' ? entry : undefined
  }

  /** Takes a question off the screen that is no longer open, or no longer the same. */
  const finish = (one: Asked): void => {
    const settled = settledOf(one.key)
    close(one)
    const isMine = one.answered !== undefined
    if (!settled) {
      if (isMine) lose(one)
      return
    }
    failed.delete(one.key)
    const { ok, reason, by, answer } = settled
    const taken = isMine ? one.answered === answer : undefined
    tell(one, { taken, why: taken === false ? 'too late' : undefined, ok, reason, by })
  }

  /** What the person is told besides what was sent. */
  const noticesFor = (key: string, { withheld }: SharedView) => {
    const names = Array.isArray(withheld) ? withheld.filter((name) => typeof name === 'string') : []
    return {
      reason: failed.has(key) ? words.notTaken(failed.get(key)) : undefined,
      details: names.length > 0 ? words.withheld(names) : undefined,
    }
  }

  const begin = (key: string, text: string, entry: OpenQuestion): void => {
    const request = asRequest(key, entry.view, noticesFor(key, entry.view))
    const one: Asked = { key, text, entry, request, controller: new AbortController() }
    asked.set(key, one)
    // Its owner was away, and has not read yet what was answered here.
    if (answers.has(entryOf(key))) one.answered = entryOf(key)
    else void ask(one)
  }

  const follow = (): void => {
    const now = new Map(shown().map((one) => [one[0], one]))
    for (const one of [...asked.values()]) {
      if (now.get(one.key)?.[1] !== one.text) finish(one)
      else if (one.answered !== undefined && !answers.has(one.answered)) again(one)
    }
    for (const one of now.values()) if (!asked.has(one[0])) begin(...one)
    look()
    notify()
  }

  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  const onDocument = coalesce(follow)
  const part: Part = { user }
  const liveness = watchOwners(maps, awareness, grace, onDocument.call)
  const presence = joinAwareness(awareness, part, () => {
    if (liveness.update()) onDocument.call()
    notify()
  })
  const look = guarded(() => {
    const head = runner.head()
    part.looking = lookingAt(head && [...asked.values()].find(({ item }) => item === head)?.key)
    presence.say()
  })

  questions.observe(onDocument.call)
  answers.observe(onDocument.call)
  const stop = [
    runner.subscribe(look),
    watchVisibility(look),
    every(
      grace,
      guarded(() => sweep(maps, (owner) => owners.has(owner) || liveness.isLive(owner))),
    ),
  ]
  onDocument.call()

  return {
    lookers(key) {
      const item = runner.find(key)
      return lookersAt(awareness, item && [...asked.values()].find((one) => one.item === item)?.key)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispose() {
      if (disposed) return
      disposed = true
      onDocument.stop()
      for (const end of stop) end()
      questions.unobserve(onDocument.call)
      answers.unobserve(onDocument.call)
      liveness.stop()
      for (const one of [...asked.values()]) close(one)
      presence.leave()
    },
  }
}
