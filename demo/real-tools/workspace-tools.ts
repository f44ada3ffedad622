import { defineTool, pending } from 'assent/core'
import { deleteFile, listFiles, readFile, writeFile } from './workspace.js'

// No slashes: a name stays inside the workspace.
const fileName = { type: 'string', minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' } as const

const bytes = (size: number): string => `${size} ${size === 1 ? 'byte' : 'bytes'}`
const sizeOf = (text: string): number => new TextEncoder().encode(text).length

export const listFilesTool = defineTool({
  name: 'list_files',
  description: 'List the files in the workspace with their sizes.',
  inputSchema: { type: 'object', properties: {} },
  async execute() {
    const files = await listFiles()
    if (files.length === 0) return 'the workspace is empty'
    return files.map(({ name, size }) => `${name} (${bytes(size)})`).join('\n')
  },
})

export const writeFileTool = defineTool({
  name: 'write_file',
  description: 'Write a text file in the workspace. The person is asked before one that exists is replaced.',
  inputSchema: { type: 'object', properties: { name: fileName, text: { type: 'string' } }, required: ['name', 'text'] },
  // A new file costs nothing; what would be lost is asked about.
  needsApproval: async ({ name }) => (await readFile(String(name))) !== undefined,
  async execute({ name, text }) {
    await writeFile(name, text)
    return `wrote ${name} (${bytes(sizeOf(text))})`
  },
})

export const deleteFileTool = defineTool({
  name: 'delete_file',
  description: 'Delete a file of the workspace. The person is asked first.',
  danger: 'high',
  inputSchema: { type: 'object', properties: { name: fileName }, required: ['name'] },
  async execute({ name }, ctx) {
    const text = await readFile(name)
    if (text === undefined) return { output: `no such file: ${name}`, isError: true }
    if (!ctx.answer) {
      return pending({
        kind: 'approval',
        prompt: `Delete ${name} (${bytes(sizeOf(text))})?`,
        data: { reason: 'It cannot be brought back.', details: text },
      })
    }
    if (!ctx.answer.ok) return { output: `kept ${name}`, isError: true }
    await deleteFile(name)
    return `deleted ${name}`
  },
})
