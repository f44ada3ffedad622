import { defineTool, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'danger',
  title: 'Danger',
  summary: 'Three levels, to be seen at a glance and heard.',
  tryThis:
    'Press the three buttons one after the other. Reading the log is low, moving a file is medium, deleting 40 files is high: its yes needs a second step on purpose, and it is never remembered nor part of “Approve all”.',
}

const files = Array.from({ length: 40 }, (_, n) => `logs/2026-${String(n + 1).padStart(2, '0')}.txt`)

const readLog = defineTool({
  name: 'read_log',
  description: 'Read the ship’s log',
  annotations: { readOnlyHint: true },
  needsApproval: true,
  execute: () => 'Fair winds.',
})

const moveFile = defineTool({
  name: 'move_file',
  description: 'Move a file',
  inputSchema: {
    type: 'object',
    properties: { from: { type: 'string' }, to: { type: 'string' } },
    required: ['from', 'to'],
  },
  needsApproval: true,
  execute: ({ to }) => `moved to ${to}`,
})

const deleteFiles = defineTool({
  name: 'delete_files',
  description: 'Delete files for good',
  source: 'Harbour files',
  inputSchema: { type: 'object', properties: { paths: { type: 'array', items: { type: 'string' } } } },
  danger: 'high',
  needsApproval: true,
  execute: ({ paths = [] }) => `deleted ${paths.length} files`,
})

export default function Danger() {
  return (
    <ToolRunner tools={[readLog, moveFile, deleteFiles]}>
      <RunButton tool="read_log" result="Result, low">
        Read the log
      </RunButton>
      <RunButton tool="move_file" args={{ from: 'a.txt', to: 'b.txt' }} result="Result, medium">
        Move a file
      </RunButton>
      <RunButton tool="delete_files" args={{ paths: files }} result="Result, high">
        Delete 40 files
      </RunButton>
    </ToolRunner>
  )
}
