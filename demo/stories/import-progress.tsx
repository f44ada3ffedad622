import { defineTool, RunTray, ToolRunner } from 'assent'
import { pause } from '../real-tools/pause.js'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'import-progress',
  title: 'Long import',
  summary: 'Progress while it works, and a way to stop it.',
  tryThis:
    'Press “Import 100 rows”. The tray shows how far it is; press Cancel there, and the call ends with “cancelled”. Press it again and wait: it ends with “imported 100 rows”, and the tray is empty.',
}

const importRows = defineTool({
  name: 'import_rows',
  description: 'Import readings of the tide gauge',
  inputSchema: { type: 'object', properties: { rows: { type: 'integer' } }, required: ['rows'] },
  async execute({ rows }, ctx) {
    for (let row = 1; row <= rows; row++) {
      await pause(40, ctx.signal)
      ctx.signal.throwIfAborted()
      ctx.emitCustomEvent('progress', { step: row, total: rows, message: `Row ${row} of ${rows}` })
    }
    return `imported ${rows} rows`
  },
})

export default function ImportProgress() {
  return (
    <ToolRunner tools={[importRows]}>
      <RunButton tool="import_rows" args={{ rows: 100 }}>
        Import 100 rows
      </RunButton>
      <RunTray />
    </ToolRunner>
  )
}
