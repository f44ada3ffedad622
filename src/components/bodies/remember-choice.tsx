import { type ReactNode, useId } from 'react'
import type { Remember } from '../../store/index.js'
import { fill, type Labels } from '../labels.js'
import { escapeText } from '../safe-text.js'

const scopes: readonly (Remember & { word: keyof Labels })[] = [
  { for: 'args', until: 'session', word: 'rememberArgsSession' },
  { for: 'args', until: 'always', word: 'rememberArgsAlways' },
  { for: 'tool', until: 'session', word: 'rememberToolSession' },
  { for: 'tool', until: 'always', word: 'rememberToolAlways' },
]

interface RememberChoiceProps {
  tool: string
  /** How long is offered: nothing is called lasting that ends with the page. */
  longest: Remember['until']
  value: Remember | undefined
  onChange: (value: Remember | undefined) => void
  labels: Labels
}

/** How long a yes lasts and for what, in words that say no less than what is kept (K21). */
export function RememberChoice({ tool, longest, value, onChange, labels }: RememberChoiceProps): ReactNode {
  const id = useId()
  const chosen = scopes.findIndex((scope) => scope.for === value?.for && scope.until === value.until)
  return (
    <div data-slot="form">
      <div data-slot="field">
        <label data-slot="label" htmlFor={id}>
          {labels.remember}
        </label>
        <select
          id={id}
          data-slot="control"
          value={chosen}
          onChange={({ target }) => {
            const scope = scopes[Number(target.value)]
            onChange(scope && { for: scope.for, until: scope.until })
          }}
        >
          <option value={-1}>{labels.rememberOnce}</option>
          {scopes.map(
            ({ word, until }, at) =>
              (until === 'session' || longest === 'always') && (
                <option key={word} value={at}>
                  {fill(labels[word], { tool: escapeText(tool) })}
                </option>
              ),
          )}
        </select>
      </div>
    </div>
  )
}
