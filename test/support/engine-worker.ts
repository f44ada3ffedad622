import { Worker } from 'node:worker_threads'

const CODE = `const { parentPort } = require('node:worker_threads')
parentPort.on('message', ([pattern, texts]) => {
  const engine = new RegExp(pattern, 'u')
  const sticky = new RegExp(pattern, 'uy')
  const from = (text, start) => {
    sticky.lastIndex = start
    return sticky.test(text)
  }
  const begins = (text) => {
    for (let start = 0; start <= text.length; start += text.codePointAt(start) > 0xffff ? 2 : 1) {
      if (from(text, start)) return true
    }
    return false
  }
  parentPort.postMessage(texts.map((text) => ({ found: engine.test(text), begins: begins(text) })))
})`

/**
 * `found` is what the engine says. `begins` is what it says when it is asked at each character: some engines also begin
 * in the middle of one that is two units, where `\B` holds, which the language forbids.
 */
export interface Verdict {
  readonly found: boolean
  readonly begins: boolean
}

/** What the engine itself says, in a thread that is ended when it takes longer than the limit: then it says nothing. */
export class EngineWorker {
  #worker: Worker | undefined

  ask(pattern: string, texts: readonly string[], limit: number): Promise<Verdict[] | undefined> {
    const worker = this.#worker ?? new Worker(CODE, { eval: true })
    this.#worker = worker
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.end()
        resolve(undefined)
      }, limit)
      worker.removeAllListeners()
      worker.once('error', reject)
      worker.once('message', (answers: Verdict[]) => {
        clearTimeout(timer)
        resolve(answers)
      })
      worker.postMessage([pattern, texts])
    })
  }

  end(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }
}
