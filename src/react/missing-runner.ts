import { createToolRunner, type Runner } from '../store/index.js'

const MESSAGE = 'assent: no <ToolRunner> above this component, so no tool can run: wrap the app in one.'

const tell = (): void => console.error(MESSAGE)

// Stands in where the provider is missing: a forgotten wrapper is told in the console and in every result, and does not
// take the page down.
const empty = /* @__PURE__ */ createToolRunner({ host: false })

export const missingRunner: Runner = {
  ...empty,
  async run() {
    tell()
    return { output: MESSAGE, isError: true }
  },
  async runAll(calls) {
    return Promise.all(Array.from(calls, () => missingRunner.run('')))
  },
  async waitFor({ id }) {
    tell()
    return { id, ok: false, reason: 'cancelled' }
  },
  register() {
    tell()
    return () => {}
  },
}
