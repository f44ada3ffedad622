import { defineTool, type RunContext, RunTray, type ToolResult, ToolRunner, useToolRunner } from 'assent'
import { useState } from 'react'
import { pause } from '../real-tools/pause.js'
import { RunButton } from '../ui/run-button.js'
import { Told } from '../ui/told.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'import-background',
  title: 'Import in the background',
  summary: 'A long call moves out of the way, and its result comes later.',
  tryThis:
    'Press “Import 100 rows”, then “Move to background” in the tray: the call ends at once with a note, and the import goes on. Look up the tide meanwhile. When the import ends, its result is delivered once, and the tray keeps a card that says so.',
}

async function importAll(rows: number, { signal, emitCustomEvent }: RunContext) {
  for (let row = 1; row <= rows; row++) {
    await pause(60, signal)
    signal.throwIfAborted()
    emitCustomEvent('progress', { step: row, total: rows, message: `Row ${row} of ${rows}` })
  }
  return `imported ${rows} rows`
}

const importRows = defineTool({
  name: 'import_rows',
  description: 'Import readings of the tide gauge',
  inputSchema: { type: 'object', properties: { rows: { type: 'integer' } }, required: ['rows'] },
  execute({ rows }, ctx) {
    const work = importAll(rows, ctx)
    return ctx.detach ? Promise.race([work, ctx.detach(work)]) : work
  },
})

const readTide = defineTool({
  name: 'read_tide',
  description: 'Look up the next high water',
  execute: () => 'high water at 14:10',
})

function ImportButton() {
  const { run } = useToolRunner()
  const [given, setGiven] = useState<ToolResult>()
  const start = async () => setGiven(await run('import_rows', { rows: 100 }))
  return (
    <>
      <button type="button" className="primary" onClick={start}>
        Import 100 rows
      </button>
      <Told label="Given to the caller" results={given ? [given] : []} />
    </>
  )
}

export default function ImportBackground() {
  const [delivered, setDelivered] = useState<ToolResult[]>([])
  return (
    <ToolRunner tools={[importRows, readTide]} onResult={(result) => setDelivered((all) => [...all, result])}>
      <ImportButton />
      <Told label="Delivered later" results={delivered} />
      <RunTray />
      <RunButton tool="read_tide" result="Result meanwhile">
        Look up the tide
      </RunButton>
    </ToolRunner>
  )
}
