import type { AnyTool, JsonSchema } from 'assent/core'
import { copyToClipboard } from './copy-to-clipboard.js'
import { crunch } from './crunch.js'
import { deploy } from './deploy.js'
import { fetchJson } from './fetch-json.js'
import { fetchish } from './fetchish.js'
import { importRows } from './import-rows.js'
import { deleteFileTool, listFilesTool, writeFileTool } from './workspace-tools.js'

export const realTools: readonly AnyTool[] = [
  listFilesTool,
  writeFileTool,
  deleteFileTool,
  copyToClipboard,
  fetchJson,
  importRows,
  crunch,
  fetchish,
  deploy,
]

/** The form for `deploy`, which asks for input and brings no schema. */
export const answerSchemas: Readonly<Record<string, JsonSchema>> = {
  deploy: {
    type: 'object',
    properties: { env: { type: 'string', enum: ['staging', 'production'], title: 'Environment' } },
    required: ['env'],
  },
}
