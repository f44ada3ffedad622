import type { PendingItem } from '../../store/index.js'
import { kindOf } from '../kinds.js'
import { type FrameLabels, fill } from '../labels.js'
import { escapeText } from '../safe-text.js'
import { asText } from '../text-of.js'

// Code points; systems cut at about as many, and without saying so.
const LONGEST = 200

/** Foreign text in one line of its own: it cannot write a second line that looks like ours. */
function oneLine(text: string): string {
  const line = asText(text)
    .replace(/[ \t\r\n]+/g, ' ')
    .trim()
  const start = Array.from(line.slice(0, 2 * LONGEST + 2))
  return escapeText(start.length > LONGEST ? `${start.slice(0, LONGEST).join('')}…` : line)
}

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'
const isolated = (text: string): string => FIRST_STRONG_ISOLATE + oneLine(text) + POP_ISOLATE

const askers = new Map<string, keyof FrameLabels>([
  ['tool', 'toolAsks'],
  ['server', 'serverAsks'],
  ['agent', 'agentAsks'],
  ['app', 'appAsks'],
])

/** Who asks, in the words of the dialog; empty when nobody knows. */
function whoAsks({ asker, toolName, source, isGate }: PendingItem, words: FrameLabels): string {
  const name = asker?.name ?? toolName
  if (name === undefined) return ''
  const word = asker ? (askers.get(asker.kind) ?? 'otherAsks') : isGate ? 'toolRuns' : 'toolAsks'
  const more = asker ? asker.origin : source
  return fill(words[word], { name: more ? `${isolated(name)} (${isolated(more)})` : isolated(name) })
}

/** What a notification says: what is needed and who asks; the question itself only when the app wants it to be seen. */
export function notificationText(
  item: PendingItem,
  words: FrameLabels,
  showPrompt: boolean,
): { title: string; body: string } {
  const lines = [whoAsks(item, words), item.trusted ? '' : words.unverified, showPrompt && oneLine(item.request.prompt)]
  return { title: words[kindOf(item.request.kind).title], body: lines.filter(Boolean).join('\n') }
}
