import { defineTool, pending } from 'assent/core'

export const copyToClipboard = defineTool({
  name: 'copy_to_clipboard',
  description: 'Put a text on the clipboard of the person. They are asked first.',
  inputSchema: { type: 'object', properties: { text: { type: 'string', minLength: 1 } }, required: ['text'] },
  async execute({ text }, ctx) {
    if (!ctx.answer) {
      return pending({ kind: 'approval', prompt: 'Copy this text to your clipboard?', data: { details: text } })
    }
    if (!ctx.answer.ok) return { output: 'left the clipboard alone', isError: true }
    // Browsers allow this only inside a click: the one on Approve is still there.
    await navigator.clipboard.writeText(text)
    return `copied ${text.length} ${text.length === 1 ? 'character' : 'characters'}`
  },
})
