import type { NotTaken } from './wire.js'

/** Why an answer given here came to nothing, where that is known. */
export type WhyNotTaken = NotTaken | 'not signed'

/** What the person is told in this side's words. Plain text. */
export interface JoinWords {
  /** What did not leave its owner: `args.token`, `data.iban`, `args`, `prompt`, `url`, `toolName`, `source`. Untrusted text. Stands in the details. */
  readonly withheld: (names: readonly string[]) => string
  /** Why a question that was answered here is asked again. Stands in the reason. */
  readonly notTaken: (why: WhyNotTaken | undefined) => string
}

const MAX_NAMES = 20
const MAX_NAME = 60

const PARTS = new Map([
  ['args', 'the arguments'],
  ['data', 'further data'],
  ['prompt', 'the text of the question'],
  ['url', 'the link'],
  ['toolName', 'the name of the tool'],
  ['source', 'who asks'],
])

/** A part of the question in words; a name from elsewhere in quotes and on one line. */
const partOf = (name: string): string =>
  PARTS.get(name) ?? JSON.stringify(name.replace(/^(args|data)\./, '').slice(0, MAX_NAME))

const WHY: Readonly<Record<WhyNotTaken, string>> = {
  malformed: 'Your answer was not taken: the other device could not read it.',
  'other question': 'Your answer was not taken: it was to another question.',
  'not what was shared': 'Your answer was not taken: it was to another text than this. Please read it again.',
  'not offered': 'Your answer was not taken: the other device does not offer it here.',
  'not verified': 'Your answer was not taken: the other device could not verify that it may come from you.',
  'too late': 'Your answer was not taken: it came too late.',
  'not signed': 'Your answer was not sent: it could not be signed.',
}

const usual: JoinWords = {
  withheld(names) {
    const more = names.length - MAX_NAMES
    const listed = names.slice(0, MAX_NAMES).map(partOf).join(', ')
    return `Not all of it is shown here. Withheld by the other device: ${listed}${more > 0 ? `, and ${more} more` : ''}.`
  },
  notTaken: (why) => `${why ? WHY[why] : 'Your answer was not taken.'} The question is still open.`,
}

/** The app's words, and ours where it has none or they fail. */
export function joinWords(given: Partial<JoinWords> = {}): JoinWords {
  const orUsual =
    <T>(say: ((of: T) => unknown) | undefined, otherwise: (of: T) => string) =>
    (of: T): string => {
      try {
        const text = say?.(of)
        if (typeof text === 'string') return text
      } catch (error) {
        console.error('assent: words threw.', error)
      }
      return otherwise(of)
    }
  return {
    withheld: orUsual(given.withheld, usual.withheld),
    notTaken: orUsual(given.notTaken, usual.notTaken),
  }
}
