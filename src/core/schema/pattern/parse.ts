/** A pattern in pieces. Captures are left out: nobody asks what matched where. */
export type Part =
  | { readonly kind: 'character'; readonly token: string }
  | { readonly kind: 'edge'; readonly token: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'loop'; readonly part: Part; readonly min: number; readonly max: number }
  | { readonly kind: 'look'; readonly part: Part; readonly isAhead: boolean; readonly isNegated: boolean }
  | { readonly kind: 'reference' }

const TOKEN =
  /\(\?(?:<?[=!]|<[^>]*>|[a-z-]*:)|\[(?:\\[\s\S]|[^\]\\])*\]|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\(?:[upP]\{[^}]*\}|u....|k<[^>]*>|c.|x..|\d+|[\s\S])|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/gu

/** The pieces of a pattern that the engine accepts with the u flag. Throws for a group with flags of its own. */
export function parse(pattern: string): Part {
  const tokens = pattern.match(TOKEN) ?? []
  let next = 0
  const choice = (): Part => {
    const parts = [sequence()]
    while (tokens[next] === '|') {
      next++
      parts.push(sequence())
    }
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'choice', parts }
  }
  const sequence = (): Part => {
    const parts: Part[] = []
    for (let token = tokens[next]; token !== undefined && token !== '|' && token !== ')'; token = tokens[next]) {
      next++
      parts.push(repeated(piece(token)))
    }
    return { kind: 'sequence', parts }
  }
  const repeated = (part: Part): Part => {
    const [, sign, low, comma, high] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})/.exec(tokens[next] ?? '') ?? []
    if (sign === undefined && low === undefined) return part
    next++
    const min = low ? Number(low) : sign === '+' ? 1 : 0
    const max = sign === '?' ? 1 : sign || (comma && !high) ? Number.POSITIVE_INFINITY : Number(high || low)
    return { kind: 'loop', part, min, max }
  }
  const piece = (token: string): Part => {
    if (token[0] === '(') return group(token)
    if (/^(?:[$^]|\\b)$/i.test(token)) return { kind: 'edge', token }
    return /^\\[1-9k]/.test(token) ? { kind: 'reference' } : { kind: 'character', token }
  }
  const group = (opening: string): Part => {
    if (/[a-z-]:$/.test(opening)) throw new Error('flags')
    const part = choice()
    next++
    const [, behind, sign] = /^\(\?(<?)([=!])$/.exec(opening) ?? []
    return sign === undefined ? part : { kind: 'look', part, isAhead: behind === '', isNegated: sign === '!' }
  }
  return choice()
}

/** Whether a match can only begin where the text begins. */
export const isAnchored = (part: Part): boolean =>
  part.kind === 'sequence' ? !!part.parts[0] && isAnchored(part.parts[0]) : part.kind === 'edge' && part.token === '^'
