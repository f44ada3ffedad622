import { defineTool, type RunContext } from 'assent/core'
import { pause } from './pause.js'
import { readFile, writeFile } from './workspace.js'

const FILE = 'readings.csv'
const ROW_MS = 25

/** Long work: it says how far it is, stops when it is cancelled, and may go on in the background. */
export const importRows = defineTool({
  name: 'import_rows',
  description: `Import readings of the tide gauge into ${FILE} of the workspace. Takes a while: 40 rows a second.`,
  inputSchema: {
    type: 'object',
    properties: { rows: { type: 'integer', minimum: 1, maximum: 10_000 } },
    required: ['rows'],
  },
  // The same question as for any file that would be replaced.
  needsApproval: async () => (await readFile(FILE)) !== undefined,
  execute({ rows }, ctx) {
    const work = importAll(rows, ctx)
    return ctx.detach ? Promise.race([work, ctx.detach(work)]) : work
  },
})

async function importAll(rows: number, { signal, emitCustomEvent }: RunContext): Promise<string> {
  let csv = 'minute,metres\n'
  for (let row = 1; row <= rows; row++) {
    await pause(ROW_MS, signal)
    // Half of a file is worse than none.
    if (signal.aborted) throw new Error(`stopped before row ${row}: nothing was written`)
    csv += `${row},${(2 + Math.sin(row / 118)).toFixed(2)}\n`
    emitCustomEvent('progress', { step: row, total: rows, message: `Row ${row} of ${rows}` })
  }
  await writeFile(FILE, csv)
  return `imported ${rows} rows into ${FILE}`
}
