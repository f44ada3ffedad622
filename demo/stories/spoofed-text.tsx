import { defineTool, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'spoofed-text',
  title: 'Spoofed text',
  summary: 'Hidden characters, turned words and markup, made visible.',
  tryThis:
    'Press “Open the invoice”. The file’s name would read “invoice-exe.pdf” in a careless dialog, and half of the note would be out of sight. Here every hidden character is shown, gaps are folded, markup is text, and what runs is what came.',
}

const openFile = defineTool({
  name: 'open_file',
  description: 'Open a file',
  source: 'mail attachments',
  trusted: false,
  inputSchema: {
    type: 'object',
    properties: { name: { type: 'string' }, note: { type: 'string' } },
    required: ['name'],
  },
  needsApproval: true,
  execute: ({ name }) => `opened ${name.length} characters`,
})

const args = {
  // Reads backwards from the override on, and the zero-width space breaks a search for "invoice".
  name: 'inv\u200Boice-\u202Efdp.exe',
  note: `<b>Safe to open.</b>${'\n'.repeat(40)}It also deletes your files.`,
}

export default function SpoofedText() {
  return (
    <ToolRunner tools={[openFile]}>
      <RunButton tool="open_file" args={args}>
        Open the invoice
      </RunButton>
    </ToolRunner>
  )
}
