export interface Field {
  name: string
  label: string
  initial: string
  type: 'text' | 'multiline' | 'number'
}

export interface Panel {
  tool: string
  title: string
  description: string
  fields: readonly Field[]
  /** Whether a timeout for the call can be given. */
  timeout?: boolean
}

export interface PanelGroup {
  title: string
  description: string
  panels: readonly Panel[]
}

const text = (name: string, label: string, initial: string): Field => ({ name, label, initial, type: 'text' })
const number = (name: string, label: string, initial: string): Field => ({ name, label, initial, type: 'number' })

export const panelGroups: readonly PanelGroup[] = [
  {
    title: 'Workspace',
    description: 'A folder in the Origin Private File System: real files that stay on this device.',
    panels: [
      {
        tool: 'write_file',
        title: 'Write a file',
        description: 'Writes a new file at once, and asks before it replaces one.',
        fields: [
          text('name', 'File name', 'notes.txt'),
          { name: 'text', label: 'Text', initial: 'Buy rope and paint.', type: 'multiline' },
        ],
      },
      { tool: 'list_files', title: 'List the files', description: 'Reads only, so it does not ask.', fields: [] },
      {
        tool: 'delete_file',
        title: 'Delete a file',
        description: 'Asks, and shows the name, the size and the text that would go.',
        fields: [text('name', 'File name', 'notes.txt')],
      },
    ],
  },
  {
    title: 'Clipboard and network',
    description: 'What a page may do only inside a click, and what takes time.',
    panels: [
      {
        tool: 'copy_to_clipboard',
        title: 'Copy to the clipboard',
        description: 'Asks. Your click on Approve is the click the browser wants to see.',
        fields: [text('text', 'Text', 'Written by a tool that asked first.')],
      },
      {
        tool: 'fetch_json',
        title: 'Fetch a JSON file',
        description: 'From this site only. Give it a delay, then press Abort or let the timeout end it.',
        fields: [text('path', 'Path', 'sample.json'), number('delay_ms', 'Delay in ms', '0')],
        timeout: true,
      },
      {
        tool: 'import_rows',
        title: 'Import rows',
        description: 'Works for a while and says how far it is. Cancel it, or move it to the background.',
        fields: [number('rows', 'Rows', '200')],
      },
    ],
  },
  {
    title: 'The contract’s own examples',
    description: 'The three tools with which toolnexus explains its ToolContext.',
    panels: [
      {
        tool: 'crunch',
        title: 'crunch',
        description: 'Works in steps and stops when it is cancelled.',
        fields: [number('steps', 'Steps', '3')],
      },
      {
        tool: 'fetchish',
        title: 'fetchish',
        description: 'Honours its timeout: below 100 ms it does not try.',
        fields: [text('url', 'URL', '/a')],
        timeout: true,
      },
      {
        tool: 'deploy',
        title: 'deploy',
        description: 'Asks which environment, and says so itself when you decline.',
        fields: [],
      },
    ],
  },
]
