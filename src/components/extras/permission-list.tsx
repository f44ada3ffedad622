import { type ReactNode, useId, useRef, useSyncExternalStore } from 'react'
import { useRunner } from '../../react/index.js'
import type { Permission } from '../../store/index.js'
import { fill } from '../labels.js'
import { escapeText } from '../safe-text.js'
import { useView } from '../view-context.js'
import { Fact, Instant, json, type RecordLabels, text, useRecordLabels } from './record-parts.js'

/** What is remembered, oldest first. */
export function PermissionList(): ReactNode {
  const runner = useRunner()
  const labels = useRecordLabels()
  const { frame } = useView()
  const section = useRef<HTMLElement>(null)
  const permissions = useSyncExternalStore(runner.subscribe, runner.permissions)

  const revoke = (id: string): void => {
    // Its button goes; the next one must not get the focus, where a held key would press it.
    section.current?.focus()
    runner.revoke(id)
  }

  return (
    <section
      {...frame}
      ref={section}
      data-slot="list"
      data-kind="permissions"
      aria-label={labels.permissions}
      tabIndex={-1}
    >
      {permissions.length === 0 ? (
        <p data-slot="description">{labels.noPermissions}</p>
      ) : (
        <ol>
          {permissions.map((permission) => (
            <Entry key={permission.id} permission={permission} labels={labels} onRevoke={revoke} />
          ))}
        </ol>
      )}
    </section>
  )
}

interface EntryProps {
  permission: Permission
  labels: RecordLabels
  onRevoke: (id: string) => void
}

function Entry({ permission, labels, onRevoke }: EntryProps): ReactNode {
  const { id, tool, source, args, ask, until, at } = permission
  const facts = useId()
  const { prompt, more } = readAsk(ask)
  return (
    <li data-slot="record">
      <p data-slot="label">{text(tool)}</p>
      <dl data-slot="facts" id={facts}>
        <Fact name={labels.source}>{text(source)}</Fact>
        <Fact name={labels.allowed}>{args ? labels.allowedExactly : labels.allowedAnything}</Fact>
        <Fact name={labels.asked}>{text(prompt)}</Fact>
        <Fact name={labels.arguments}>{args && json(args)}</Fact>
        <Fact name={labels.data}>{more && json(more)}</Fact>
        <Fact name={labels.until}>{until === 'always' ? labels.untilAlways : labels.untilSession}</Fact>
        <Fact name={labels.since}>
          <Instant at={at} />
        </Fact>
      </dl>
      <button
        type="button"
        data-slot="revoke"
        aria-label={fill(labels.revokeTool, { tool: escapeText(tool) })}
        aria-describedby={facts}
        onClick={() => onRevoke(id)}
      >
        {labels.revoke}
      </button>
    </li>
  )
}

/** The words of a tool's own question, as the permission keeps them: its prompt, address and data. */
function readAsk(ask: unknown): { prompt?: string; more?: unknown[] } {
  if (ask === undefined) return {}
  try {
    const [prompt, ...rest] = JSON.parse(String(ask)) as unknown[]
    const more = rest.filter((part) => part !== null)
    return { prompt: String(prompt), ...(more.length > 0 && { more }) }
  } catch {
    return { prompt: String(ask) }
  }
}
