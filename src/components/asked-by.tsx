import type { ReactNode } from 'react'
import type { OpenQuestion } from '../react/index.js'
import type { FrameLabels } from './labels.js'
import { SafeText } from './safe-text.js'
import { asText } from './text-of.js'

const askers = new Map<string, keyof FrameLabels>([
  ['tool', 'toolAsks'],
  ['server', 'serverAsks'],
  ['agent', 'agentAsks'],
  ['app', 'appAsks'],
])

/** Who asks, in our words: what the runner knows of it. What the request says of itself is not believed (DESIGN 2.4). */
export function AskedBy({ item, labels }: { item: OpenQuestion; labels: FrameLabels }): ReactNode {
  const { asker, toolName, source, isGate, trusted, restored } = item
  const name = asker?.name ?? toolName
  const word = asker ? (askers.get(asker.kind) ?? 'otherAsks') : isGate ? 'toolRuns' : 'toolAsks'
  const [before, after] = labels[word].split('{name}')
  const more = asker
    ? [word === 'otherAsks' && asker.kind, asker.origin].filter(Boolean).map(asText).join(', ')
    : source
  if (name === undefined && trusted && !restored) return null
  return (
    <p data-slot="asker">
      {name !== undefined && (
        <span>
          {before}
          <strong>
            <SafeText>{name}</SafeText>
          </strong>
          {more && (
            <>
              {' ('}
              <SafeText>{more}</SafeText>
              {')'}
            </>
          )}
          {after}
        </span>
      )}
      {!trusted && <strong data-slot="unverified">{labels.unverified}</strong>}
      {restored && <span data-slot="restored">{restored === 'tab' ? labels.restoredTab : labels.restoredReload}</span>}
    </p>
  )
}
