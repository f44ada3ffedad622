/** The pattern as it is run with the u flag; undefined when it is none even by what browsers accept without the flag. */
export function runnable(source: string): string | undefined {
  return [source, modernise(source)].find(compiles)
}

function compiles(pattern: string): boolean {
  try {
    return !!new RegExp(pattern, 'u')
  } catch {
    return false
  }
}

const ESCAPE = /\\(?:[bdfnrstvw^$\\.*+?()[\]{}|/]|p\{[^}]*\}|u[\da-f]{4}|u\{[\da-f]+\}|x[\da-f]{2}|c[a-z]|k<|\d)/i
  .source
const PIECE = new RegExp(`\\[(?:\\\\[\\s\\S]|[^\\]\\\\])*\\]|${ESCAPE}|\\\\[\\s\\S]|\\{\\d+(?:,\\d*)?\\}|[{}\\]]`, 'gi')
const SET_PIECE = new RegExp(`(\\\\(?:[dsw]|p\\{[^}]*\\}))-|-(?=\\\\[dswp])|${ESCAPE}|\\\\[\\s\\S]`, 'gi')
const IS_ESCAPE = new RegExp(`^${ESCAPE}$`, 'i')

/** What browsers accept without the u flag, written so that the flag accepts it: `[\w-\.]`, `\-`, `\@`, `{,5}`. */
const modernise = (source: string): string => {
  const isNamed = source.includes('(?<')
  const inUnicode = (piece: string): string => {
    if (piece === '\\k<' && !isNamed) return 'k<'
    if (IS_ESCAPE.test(piece)) return piece
    return piece === '\\c' ? '\\\\c' : piece === '\\-' ? '\\x2d' : piece.slice(1)
  }
  return source.replace(PIECE, (piece) => {
    if (/^[{}\]]$/.test(piece)) return `\\${piece}`
    if (piece[0] !== '[') return piece[0] === '{' ? piece : inUnicode(piece)
    return piece.replace(SET_PIECE, (inner, set?: string) =>
      inner === '-' ? '\\x2d' : set === undefined ? inUnicode(inner) : `${set}\\x2d`,
    )
  })
}
