export interface PlannedCall {
  name: string
  args: Record<string, unknown>
}

interface Phrase {
  pattern: RegExp
  plan(match: RegExpMatchArray): PlannedCall[]
}

const unquoted = (text = ''): string => text.trim().replace(/^(["'“])(.*)["'”]$/s, '$2')
const one = (name: string, args: Record<string, unknown> = {}): PlannedCall[] => [{ name, args }]

// The first that fits is taken.
const phrases: Phrase[] = [
  { pattern: /\b(list|show|what)\b.*\bfiles?\b/i, plan: () => one('list_files') },
  {
    pattern: /\bwrite\s+(?:to\s+)?([\w.-]+\w)\s*(?:with|saying|containing|:|-)?\s*(.*)$/is,
    plan: ([, name, text]) => one('write_file', { name, text: unquoted(text) || `Written by the demo agent.` }),
  },
  {
    pattern: /\b(?:delete|remove)\s+(.+)$/i,
    plan: ([, names = '']) =>
      names
        .split(/\s*,\s*|\s+and\s+|\s+/)
        .map((name) => name.replace(/[.,!?]+$/, ''))
        .filter((name) => /\.\w+$/.test(name))
        .map((name) => ({ name: 'delete_file', args: { name } })),
  },
  {
    pattern: /\bcopy\s+(.+)$/is,
    plan: ([, text]) => one('copy_to_clipboard', { text: unquoted(text) }),
  },
  { pattern: /\bdeploy\b/i, plan: () => one('deploy') },
  { pattern: /\bfetch\b/i, plan: () => one('fetch_json', { path: 'sample.json' }) },
  { pattern: /\bcrunch\b\D*(\d+)?/i, plan: ([, steps = '5']) => one('crunch', { steps: Math.min(Number(steps), 50) }) },
  {
    pattern: /\bimport\b\D*(\d+)?/i,
    plan: ([, rows = '200']) => one('import_rows', { rows: Math.min(Number(rows), 10_000) }),
  },
]

/** The calls a sentence asks for; none when it is not understood. */
export function planCalls(sentence: string): PlannedCall[] {
  for (const { pattern, plan } of phrases) {
    const match = sentence.match(pattern)
    if (match) return plan(match)
  }
  return []
}
