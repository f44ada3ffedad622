import { isRecord } from '../../core/plain-data.js'
import { humanise } from './names.js'
import { optionsOf } from './options.js'
import type { Node } from './resolve.js'

/** A field, or a question as a field: what may ask for a secret. */
export interface CredentialField {
  /** The property's name, or the question's header; empty where there is none. */
  readonly name: string
  /** The field's own schema; a question's is `{ type: 'string', title: <the question> }`. */
  readonly schema: unknown
}

/** Whether a field asks for a secret. `usual` is what the kit would say. */
export type CredentialTest = (field: CredentialField, usual: boolean) => boolean

const KEY = '((api|access|private|secret|encryption|signing) ?key)'
const TOKEN = '((\\w*(auth|hub|lab|bot)|access|refresh|bearer|api|session|security) ?token)'
const CODE = '((verification|one time|two factor|2fa|mfa|security|recovery|backup) code)'
const SURE = `pass ?(word|phrase|code|wd)|pwd|credential|((client|app|shared) ?secret)|((seed|recovery) ?phrase)|mnemonic|cvv2?|cvc2?|otp|${KEY}|${TOKEN}|${CODE}`
// About a secret, which is none.
const ABOUT =
  '(?! (names?|ids?|type|kind|policy|policies|hint|length|count|path|ref|url|version|managers?|reset|rules?|rotation|expiry|store|field|form|page)\\b)'

const SECRET_NAME = new RegExp(`\\b(secret|${SURE})s?\\b${ABOUT}|^(pin|token|jwt|pin code)$`, 'i')

// Questions are sentences, and a sentence may speak of a secret without asking for one.
const SECRET = new RegExp(`\\b(${SURE}|pin code|(your|card|enter) pin)s?\\b${ABOUT}`, 'i')
const ASKS =
  /\b(enter|type|paste|provide|supply|give|tell|send|share|insert|input|fill|specify|need|your|what( is| are|'s|’s| was)|which)\b/i
const ASKS_NOT =
  /(\bnot|\bnever|n['’]t) (\w+ )?(ask|enter|give|include|need|paste|provide|send|share|store|type|use|want|write)\b.*/i
const FEW_WORDS = 4

// What is written between letters to hide a word from such a list, or instead of them.
const plain = (text: string): string => text.normalize('NFKC').replace(/\p{DI}/gu, '')

/** Whether a name or a title asks for a secret. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(humanise(plain(name)))

/** Whether a text asks a person to write a secret: "What is the admin password?", "API key:", not "Was the password changed?". */
export const isSecretQuestion = (text: string): boolean =>
  plain(text)
    .split(/[.?!:\n]+/)
    .some((sentence) => {
      const words = sentence.trim().replace(/[_-]+/g, ' ')
      if (SECRET.test(ASKS_NOT.exec(words)?.[0] ?? '')) return false
      const isShort = words.split(/\s+/).length <= FEW_WORDS
      return (isShort && isSecretName(words)) || ((isShort || ASKS.test(words)) && SECRET.test(words))
    })

const BY_NAME = /^(properties|patternProperties|dependentSchemas|\$defs|definitions)$/
const PART = /^(items|prefixItems|contains|additional.*|unevaluated.*|not|if|then|else|anyOf|oneOf|allOf|\d+)$/

/** Whether a schema asks, at any depth, for a secret: those are never entered in a form (DESIGN 5.7). */
export function isCredentialSchema(schema: unknown, test?: CredentialTest): boolean {
  const seen = new Set<unknown>()
  const open: [name: string, part: unknown][] = [['', schema]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [name, part] = next
    if (typeof part !== 'object' || part === null || seen.has(part)) continue
    seen.add(part)
    const usual = isSecretField(name, part as Node)
    if (test ? test({ name, schema: part }, usual) : usual) return true
    for (const [key, inner] of Object.entries(part)) {
      if (BY_NAME.test(key) && isRecord(inner)) for (const entry of Object.entries(inner)) open.push(entry)
      else if (PART.test(key)) open.push(['', inner])
    }
  }
  return false
}

function isSecretField(name: string, field: Node): boolean {
  const { format, writeOnly, title, type, items } = field
  if (format === 'password' || writeOnly === true) return true
  const chosen = type === 'array' ? items : field
  const isChosen = type === 'boolean' || (type !== 'object' && isRecord(chosen) && optionsOf(chosen) !== undefined)
  return !isChosen && (isSecretName(name) || (typeof title === 'string' && isSecretName(title)))
}

/** Whether a question that is answered in writing asks for a secret. */
export function isCredentialQuestion(question: string, header: string, test?: CredentialTest): boolean {
  const usual = isSecretName(header) || isSecretQuestion(question)
  return test ? test({ name: header, schema: { type: 'string', title: question } }, usual) : usual
}
