import { plain, readings } from './look-alikes.js'
import * as table from './secret-words.js'

/** A part of the table, written as the texts are that it is held against. */
const any = (source: string): string => `(?:${plain(source).replace(/ (?!\?)/g, ' ?')})`
const start = '(?<![a-z])'
const end = '[a-z]{0,2}(?![a-z])'
const word = (source: string): string => `${start}${source}(?:e?[sn])?(?!\\p{L})`
const regExp = (...sources: string[]): RegExp => new RegExp(sources.join('|'), 'gu')

const ANYWHERE = any(table.ANYWHERE)
const KINDS = any(table.KINDS)
const HEADS = any(table.HEADS)
const THINGS = any(table.THINGS)
const BANKS = any(table.BANKS)
const NUMBERS = any(table.NUMBERS)
const ALONE = any(table.ALONE)
const YOURS = any(table.YOURS)
// The rest of a word, and a short one between.
const rest = '[^ ]{0,12}? ?(?:[a-z]{1,4} )?'

const SECRET = regExp(
  ANYWHERE,
  word(any(table.WORDS)),
  `${start}${KINDS}${rest}${HEADS}${end}`,
  `${start}${HEADS}[a-z]? (?:d[a-z]* |na )?${KINDS}`,
  `${BANKS}${rest}${THINGS}${end}`,
  `${THINGS}${rest}${BANKS}`,
  `${THINGS}[a-z]{0,2} ?(?:[a-z]{1,3} )?${NUMBERS}(?![a-z])`,
  `${start}${NUMBERS} (?:[a-z]+ ){0,2}${THINGS}[a-z]?(?<!s)(?![a-z])`,
  word(`${YOURS} (?:[a-z]+ ){0,2}${ALONE}`),
)
const test = (source: string): RegExp => new RegExp(source, 'u')
const WHOLE = test(
  `^(?:(?:${YOURS}|new|old|current|confirm) )*${ALONE}(?: \\d+)?$|^(?:(?!(?:${table.ORDINARY}) )[^ ]+ )*(?:token|secrets?)$`,
)
const EXACT = test(`^${ANYWHERE}$`)
// What is left of the word, and then one that says that it is about a secret.
const ABOUT = test(`^\\p{L}{0,4} ?${any(table.ABOUT)}(?!\\p{L})`)
const ABOUT_OF = test(`${start}(?:${table.ABOUT_OF})s? (?:${table.OF}) (?:\\p{L}+ ){0,2}$`)
const ASKS = test(`${word(any(`${table.ASKS}|${table.YOURS}`))}|${any(table.ASKS_WITHIN)}`)

// A sentence may speak of a secret without asking for one.
const TALKS =
  /^(?:was|were|is|are|has|have|had|did|does|do|should|shall|must|why|when|who|how|reset|forgot|rotate|wurde)\b/
const ASKS_NOT =
  /\b(?:not|never|n t) (?:\w+ )?(?:ask|enter|give|include|need|paste|provide|send|share|store|type|use|want|write)\b/
const ASKS_FOR_IT =
  /(?<!not |never |n t )(?:enter|type|paste|provide|give|send|share|write) (?:it|them|that|here|below)\b/
const FEW_WORDS = 4

const wordsOf = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, ' ')
    .trim()

/** Where a secret is spoken of, and not only something about one; -1 for nowhere. */
function findSecret(words: string): number {
  for (const { 0: found, index } of words.matchAll(SECRET)) {
    if (ABOUT.test(words.slice(index + found.length))) continue
    if (!ABOUT_OF.test(words.slice(Math.max(0, index - 60), index))) return index
  }
  return -1
}

const isName = (words: string): boolean =>
  findSecret(words) >= 0 || WHOLE.test(words) || EXACT.test(words.replaceAll(' ', ''))

/** Whether a name or a title asks for a secret. */
export const isSecretName = (name: string): boolean => readings(name).some((reading) => isName(wordsOf(reading)))

const isShort = (words: string): boolean =>
  words.split(' ').length +
    (words.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]/gu)?.length ?? 0) / 4 <=
  FEW_WORDS

function asks(sentence: string): boolean {
  const words = wordsOf(sentence)
  const few = isShort(words) && !TALKS.test(words)
  if (few && words !== '' && isName(words)) return true
  if (words === '' || (!few && !ASKS.test(words)) || findSecret(words) < 0) return false
  return sentence.split(/[,;()،、，；–—]/).some((clause) => {
    const part = wordsOf(clause)
    return findSecret(part) >= 0 && (!ASKS_NOT.test(part) || /\bif\b/.test(part))
  })
}

function asksForIt(text: string): boolean {
  const words = wordsOf(text)
  const at = findSecret(words)
  return at >= 0 && ASKS_FOR_IT.test(words.slice(at))
}

/** Whether a text asks a person to write a secret: "What is the admin password?", "API key:", not "Was the password changed?". */
export const isSecretText = (text: string): boolean =>
  readings(text).some((reading) => reading.split(/[.?!:\n。？！：؟]+/).some(asks) || asksForIt(reading))
