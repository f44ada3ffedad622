import { pending, type Tool } from 'assent/core'
import { pause } from '../real-tools/pause.js'

const schema = {
  type: 'object',
  properties: {
    width: { type: 'integer', default: 800 },
  },
  required: ['width'],
}

// Returns a question; is run again with the answer.
export const resizePictures: Tool = {
  name: 'resize_pictures',
  description: 'Resize pictures',
  inputSchema: {
    type: 'object',
    properties: { count: { type: 'integer' } },
    required: ['count'],
  },
  async execute(args, ctx) {
    const total = Number(args.count)
    if (!ctx?.answer) {
      return pending({
        kind: 'input',
        prompt: `Resize ${total} pictures?`,
        data: { schema },
      })
    }
    for (let step = 1; step <= total; step++) {
      await pause(300, ctx.signal)
      ctx.signal?.throwIfAborted()
      ctx.emitCustomEvent?.('progress', {
        step,
        total,
      })
    }
    const { width } = ctx.answer.data ?? {}
    const resized = { resized: total, width }
    const output = JSON.stringify(resized)
    return { output, isError: false }
  },
}
