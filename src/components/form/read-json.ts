/** Why a text cannot be kept exactly as it is written; `json`: it is no JSON at all. */
export type JsonFault = 'json' | NumberFault | 'duplicate' | 'nested'
export type NumberFault = 'precision' | 'range'

export type JsonReading =
  | { readonly value: unknown; readonly fault?: undefined }
  | { readonly value?: undefined; readonly fault: JsonFault }

// An answer goes through copies that recurse, and a storage; nobody types this much by hand.
const MAX_DEPTH = 100
const MAX_PARTS = 50_000

/** Reads JSON strictly: what `JSON.parse` would round, drop or let overflow is a fault. Takes time in proportion to the text. */
export function readJson(text: string): JsonReading {
  try {
    const fault = faultOf(text)
    // Before it is parsed, which takes a second and more for a million brackets.
    if (fault === 'nested') return { fault }
    const value: unknown = JSON.parse(text)
    if (fault) return { fault }
    // JSON cannot tell -0 from 0, so the written form has 0.
    return { value: text.includes('-0') ? JSON.parse(JSON.stringify(value)) : value }
  } catch {
    return { fault: 'json' }
  }
}

/** The first fault in a text, without recursion; in one that is no JSON, anything. May throw there. */
function faultOf(text: string): JsonFault | undefined {
  // For each open object its keys so far; nothing for an array.
  const open: (Set<string> | undefined)[] = []
  let parts = 0
  let isKey = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    const keys = open.at(-1)
    if (char === '"') {
      const end = endOfString(text, at)
      if (isKey && keys && isTaken(keys, text.slice(at, end + 1))) return 'duplicate'
      at = end
      isKey = false
    } else if (char === '{' || char === '[') {
      isKey = char === '{'
      if (open.push(isKey ? new Set() : undefined) > MAX_DEPTH || ++parts > MAX_PARTS) return 'nested'
    } else if (char === '}' || char === ']') open.pop()
    else if (char === ',') isKey = keys !== undefined
    else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER_END.lastIndex = at
      const [literal = ''] = NUMBER_END.exec(text) ?? []
      const fault = numberFault(literal)
      if (fault) return fault
      at += literal.length - 1
    }
  }
  return undefined
}

const NUMBER_END = /[-+.\deE]+/y

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function isTaken(keys: Set<string>, literal: string): boolean {
  const key = literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1)
  return keys.size === keys.add(key).size
}

/** What a number loses as a double: all of it, or some of its digits. */
export function numberFault(literal: string): NumberFault | undefined {
  const value = Number(literal)
  const written = digits(literal)
  if (!Number.isFinite(value) || (value === 0 && written !== '')) return 'range'
  return written === digits(String(value)) ? undefined : 'precision'
}

/** The digits without the zeros around them. */
function digits(literal: string): string {
  const all = literal.replace(/e.*|\D/gi, '').replace(/^0+/, '')
  let end = all.length
  while (all[end - 1] === '0') end--
  return all.slice(0, end)
}
