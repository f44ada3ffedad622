import { isRecord, readQuestions } from '../../core/internal.js'
import { readChoices } from './read-consent.js'

const READ = /^(question|header|options|multiple|value|label|description)$/

/** All values within a value, as text. What stands under a key that nobody reads is not taken apart. */
const leaves = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value.flatMap((part) => leaves(part))
  if (!isRecord(value)) return value === undefined ? [] : [String(value)]
  return Object.entries(value).flatMap(([key, part]) => (READ.test(key) ? leaves(part) : [value]))
}

/** Whether all that was sent in a list is in what was read of it. */
function isRead(sent: unknown, read: unknown): boolean {
  const known = new Set(leaves(read))
  return Array.isArray(sent) && sent.length > 0 && leaves(sent).every((leaf) => known.has(leaf))
}

/** Whether the questions of a request are shown with all that they say. */
export const showsQuestions = (questions: unknown): boolean => isRead(questions, readQuestions({ questions }))

/** The keys of a request's `data` that an approval shows in full, by what it offers. */
export function shownKeys(
  { choices, multiple, decisions }: Readonly<Record<string, unknown>>,
  offered: { decisions: readonly string[]; choices: boolean; calls: boolean },
): string[] {
  return [
    isRead(decisions, offered.decisions) && 'decisions',
    offered.choices && isRead(choices, readChoices(choices)) && 'choices',
    offered.choices && typeof multiple === 'boolean' && 'multiple',
    offered.calls && 'calls',
  ].filter((key) => key !== false)
}
