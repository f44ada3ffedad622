import { defineTool, pending, ToolRunner, useToolRunner } from 'assent'
import { type ReactNode, useEffect, useState } from 'react'
import { type Shared, type ShareEvent, type ShareQuestionsOptions, shareQuestions } from '../../../src/adapters/yjs.js'

export type Link = Pick<ShareQuestionsOptions, 'doc' | 'awareness' | 'user'>

let executed = 0

const deploy = defineTool({
  name: 'deploy',
  description: 'Deploy the site',
  source: 'CI',
  inputSchema: { type: 'object', properties: { site: { type: 'string' } } },
  needsApproval: true,
  execute: ({ site }) => `deployed ${site} (${++executed})`,
})

const rename = defineTool({
  name: 'rename',
  description: 'Give it a name',
  execute(_args, ctx) {
    if (ctx.answer) return `renamed to ${ctx.answer.data?.name}`
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    return pending({ kind: 'input', prompt: 'What is it called?', data: { schema } })
  },
})

const pay = defineTool({
  name: 'pay',
  description: 'Pay a bill',
  inputSchema: { type: 'object', properties: { to: { type: 'string' }, iban: { type: 'string' } } },
  needsApproval: true,
  execute: ({ to }) => `paid ${to}`,
})

const calls: [label: string, tool: string, args: Record<string, unknown>][] = [
  ['Deploy', 'deploy', { site: 'docs' }],
  ['Rename', 'rename', {}],
  ['Pay', 'pay', { to: 'Bob', iban: 'DE02-1203' }],
]

const share: ShareQuestionsOptions['share'] = (item, usual) =>
  item.toolName === 'pay' ? { ...usual, args: { to: usual.args?.to } } : usual

/** The page that owns the tools. */
export function Desk({ link, verify }: { link: Link; verify: string | null }): ReactNode {
  return (
    <ToolRunner tools={[deploy, rename, pay]} presentation="dialog">
      <Sharing link={link} verify={verify} />
    </ToolRunner>
  )
}

function Sharing({ link, verify }: { link: Link; verify: string | null }): ReactNode {
  const { run, runner } = useToolRunner()
  const [output, setOutput] = useState('')
  const [events, setEvents] = useState<string[]>([])
  const [lookers, setLookers] = useState('')
  useEffect(() => {
    const onEvent = (event: ShareEvent): void =>
      setEvents((all) => [...all, event.type === 'refused' ? `refused: ${event.why}` : event.type])
    const shared: Shared = shareQuestions(runner, {
      ...link,
      share,
      onEvent,
      ...(verify && { verify: async (_answer, by) => JSON.stringify(by) === JSON.stringify({ name: verify }) }),
    })
    const look = (): void => {
      const key = runner.head()?.key
      setLookers(
        key === undefined
          ? ''
          : shared
              .lookers(key)
              .map(({ name }) => name)
              .join(', '),
      )
    }
    const stop = shared.subscribe(look)
    return () => {
      stop()
      shared.dispose()
    }
  }, [runner, link, verify])
  return (
    <>
      {calls.map(([label, tool, args]) => (
        <button key={tool} type="button" onClick={async () => setOutput((await run(tool, args)).output)}>
          {label}
        </button>
      ))}
      <output aria-label="Result">{output}</output>
      <p data-testid="lookers">{lookers}</p>
      <p data-testid="events">{events.join(' | ')}</p>
    </>
  )
}
