import { type Danger, isRecord, type ToolAnnotations } from '../core/internal.js'

const LEVELS: readonly Danger[] = ['low', 'medium', 'high']

const isDanger = (value: unknown): value is Danger => LEVELS.some((level) => level === value)

function fromHints({ readOnlyHint, destructiveHint }: ToolAnnotations, trusted: boolean): Danger {
  if (destructiveHint === true) return 'high'
  // A stranger's word that it only reads makes nothing harmless.
  return readOnlyHint === true && trusted ? 'low' : 'medium'
}

/**
 * How much a yes can do (DESIGN 2.4). A voice says it outright, else by its annotations; of several voices the gravest
 * counts, and one that is not trusted may raise the usual medium and never lower it.
 */
export function dangerOf(voices: readonly { danger?: unknown; annotations?: unknown }[], trusted: boolean): Danger {
  const said = voices.flatMap(({ danger, annotations }): Danger[] => {
    if (isDanger(danger)) return [danger]
    return isRecord(annotations) ? [fromHints(annotations, trusted)] : []
  })
  const floor: Danger[] = trusted && said.length > 0 ? [] : ['medium']
  return [...said, ...floor].reduce((a, b) => (LEVELS.indexOf(b) > LEVELS.indexOf(a) ? b : a))
}
