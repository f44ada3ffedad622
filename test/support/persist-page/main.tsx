import 'assent/styles.css'
import { type PersistOptions, type ToolResult, ToolRunner, useRuns, useToolRunner } from 'assent'
import { openIndexedDb } from 'assent/runner'
import { type ReactNode, StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { type Kind, kinds, type Work } from './kinds.js'
import { type Point, passing } from './points.js'
import { stoppingStorage } from './stopping-storage.js'

const params = new URLSearchParams(location.search)
const name = params.get('name') ?? 'assent'
const isKind = (kind: string): kind is Kind => Object.hasOwn(kinds, kind)

/** Said outside the page, where no crash takes it back. */
const tell = (what: string, said: unknown): Promise<unknown> =>
  fetch(`/told/${what}/${encodeURIComponent(name)}`, { method: 'POST', body: JSON.stringify(said) })

const point = params.get('point')
const nth = Number(params.get('nth') ?? 1)
const pass = passing({ point: (point ?? 'none') as Point, nth }, () => tell('stop', point))

const work: Work = async (given) => {
  await pass('before the effect')
  await tell('effect', given)
  await pass('after the effect')
  return `did ${JSON.stringify(given)}`
}

async function persistence(): Promise<PersistOptions> {
  const keepAnswers = params.has('keep')
  if (!point) return { name, keepAnswers }
  const storage = await openIndexedDb(name, { onProblem: ({ error }) => console.error(error) })
  return { name, keepAnswers, storage: stoppingStorage(storage, pass) }
}

function Caller(): ReactNode {
  const { run, runner } = useToolRunner()
  const runs = useRuns()
  const [result, setResult] = useState('')
  useEffect(() => {
    Object.assign(window, { runner })
  }, [runner])
  const show = ({ output }: ToolResult): void => setResult((before) => [before, output].filter(Boolean).join(' | '))
  return (
    <main>
      <h1>The app</h1>
      <button type="button" onClick={() => run('deploy', { site: 'docs' }).then(show)}>
        Call
      </button>
      <output aria-label="Result">{result}</output>
      <ul aria-label="Calls">
        {runs.map(({ id, toolName, status }) => (
          <li key={id}>{`${toolName} ${status}`}</li>
        ))}
      </ul>
    </main>
  )
}

function App({ persist }: { persist: PersistOptions }): ReactNode {
  const [told, setTold] = useState<string[]>([])
  const kind = params.get('kind') ?? 'approval'
  const tools = isKind(kind) ? [kinds[kind](work)] : []
  return (
    <ToolRunner
      tools={tools}
      persist={persist}
      armingDelay={0}
      onResult={({ output }) => setTold((before) => [...before, output])}
    >
      <Caller />
      <output aria-label="Told">{told.join(' | ')}</output>
    </ToolRunner>
  )
}

const root = document.getElementById('root')
void persistence().then((persist) => {
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <App persist={persist} />
    </StrictMode>,
  )
})
