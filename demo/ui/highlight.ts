export interface Token {
  /** Where it starts in the source. */
  start: number
  text: string
  type: 'comment' | 'string' | 'keyword' | undefined
}

const KEYWORDS =
  'import|from|export|default|function|return|const|let|if|else|async|await|type|interface|new|void|throw|try|catch|as'
const PATTERN = new RegExp(
  String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>'(?:\\.|[^'\\\n])*'|"[^"\n]*"|\x60(?:\\.|[^\x60\\])*\x60)|(?<keyword>\b(?:${KEYWORDS})\b(?!:))`,
  'g',
)

/** Cuts TypeScript into comments, strings, keywords and the rest: enough to read a story by. */
export function highlight(source: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  const push = (text: string, type: Token['type']): void => {
    if (text) tokens.push({ start: end, text, type })
    end += text.length
  }
  for (const match of source.matchAll(PATTERN)) {
    push(source.slice(end, match.index), undefined)
    const { comment, string } = match.groups ?? {}
    push(match[0], comment ? 'comment' : string ? 'string' : 'keyword')
  }
  push(source.slice(end), undefined)
  return tokens
}
