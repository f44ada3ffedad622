import type { Issue } from '../../core/index.js'
import { wordsFor } from '../form/schema-field.js'
import { fill, type Labels } from '../labels.js'
import { escapeText } from '../safe-text.js'
import { type ArgsForm, nameAt } from './edit-args.js'

/** What a check found, in words: at a field, or in the editor where none is meant. */
export interface Problems {
  readonly fields: ReadonlyMap<string, string>
  readonly others: readonly string[]
}

/** Each issue where a person looks for it: one of a whole field at that field, any other by its place. */
export function problemsOf(issues: readonly Issue[], { root, fields }: ArgsForm, labels: Labels): Problems {
  const problems = new Map<string, string>()
  const others: string[] = []
  for (const { path, keyword, expected } of issues) {
    const isWhole = root === 'fields' && /^\/[^/]*$/.test(path)
    const field = fields.find(({ name }) => root === 'json' || (path !== '' && name === nameAt(path)))
    const isFirst = field !== undefined && !problems.has(field.name)
    const words = isWhole && field ? (wordsFor(field, keyword, labels) ?? `${labels.errorOther} ${expected}`) : ''
    if (isFirst) problems.set(field.name, words || labels.errorOther)
    if (!isWhole || !isFirst)
      others.push(`${fill(labels.wrongAt, { path: escapeText(path || '/') })} (${escapeText(expected)})`)
  }
  return { fields: problems, others }
}
