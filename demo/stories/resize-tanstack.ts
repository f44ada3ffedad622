import { defineTool, pending } from 'assent/core'
import { pause } from '../real-tools/pause.js'

const schema = {
  type: 'object',
  properties: {
    width: { type: 'integer', default: 800 },
  },
  required: ['width'],
}

// Is asked about first; returns a plain value.
export const resizePictures = defineTool({
  name: 'resizePictures',
  description: 'Resize pictures',
  inputSchema: {
    type: 'object',
    properties: { count: { type: 'integer' } },
    required: ['count'],
  },
  outputSchema: {
    type: 'object',
    properties: {
      resized: { type: 'integer' },
      width: { type: 'integer' },
    },
  },
  needsApproval: true,
  async execute({ count }, context) {
    const response = context.inputResponse
    if (response?.status !== 'resolved') {
      return pending({
        kind: 'input',
        prompt: 'How wide?',
        data: { schema },
      })
    }
    const resize = async () => {
      for (let step = 1; step <= count; step++) {
        await pause(300, context.abortSignal)
        context.abortSignal.throwIfAborted()
        context.emitCustomEvent('progress', {
          step,
          total: count,
        })
      }
      return { resized: count, ...response.payload }
    }
    const work = resize()
    if (!context.detach) return work
    return Promise.race([work, context.detach(work)])
  },
})
