import { isRecord } from '../../core/internal.js'
import type { PendingItem } from '../../store/types.js'

// Wider than what forms refuse (DESIGN 5.7): a question that stays here is asked here, one that left cannot be called back.
const WORDS = [
  'pass ?(word|phrase|code|wd)',
  'pwd',
  'credential',
  'secret',
  'mnemonic',
  'otp',
  'pin',
  'jwt',
  'cv[vc]2?',
  '\\w*token',
  '(api|access|private|secret|encryption|signing) ?key',
  '(recovery|seed) ?phrase',
  '(verification|one time|two factor|2fa|mfa|security|recovery|backup|pin) ?code',
].join('|')
const SECRET = new RegExp(`\\b(${WORDS})s?\\b`, 'i')

const words = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{DI}/gu, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')

/** Whether a name, a title or a text speaks of a secret. */
export const speaksOfSecret = (text: unknown): boolean => typeof text === 'string' && SECRET.test(words(text))

function schemaAsks(schema: unknown): boolean {
  const open: unknown[] = [schema]
  const seen = new Set<unknown>()
  for (let node = open.pop(); open.length > 0 || node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null || seen.has(node)) continue
    seen.add(node)
    const { format, writeOnly, title } = node as Record<string, unknown>
    if (format === 'password' || writeOnly === true || speaksOfSecret(title)) return true
    for (const [name, part] of Object.entries(node)) {
      // Wherever a name stands before a part of a schema, it may be a field's.
      if (typeof part === 'object' && speaksOfSecret(name)) return true
      open.push(part)
    }
  }
  return false
}

const textsOf = (data: unknown): unknown[] => {
  const list = isRecord(data) && Array.isArray(data.questions) ? data.questions : []
  return list.flatMap((one: unknown) => (isRecord(one) ? [one.question, one.header] : [one]))
}

/** Whether a person would write a secret to answer: such a question never leaves. */
export function asksForSecret({ request, schema }: PendingItem): boolean {
  if (request.kind !== 'input' && request.kind !== 'question') return schema !== undefined && schemaAsks(schema)
  if (request.kind === 'input' && schema !== undefined) return schemaAsks(schema)
  return [request.prompt, ...textsOf(request.data)].some(speaksOfSecret)
}
