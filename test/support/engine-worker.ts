import { Worker } from 'node:worker_threads'

const CODE = `const { parentPort } = require('node:worker_threads')
parentPort.on('message', ([pattern, texts]) => {
  const engine = new RegExp(pattern, 'u')
  parentPort.postMessage(texts.map((text) => engine.test(text)))
})`

/** What the engine itself says, in a thread that is ended when it takes longer than the limit: then it says nothing. */
export class EngineWorker {
  #worker: Worker | undefined

  ask(pattern: string, texts: readonly string[], limit: number): Promise<boolean[] | undefined> {
    const worker = this.#worker ?? new Worker(CODE, { eval: true })
    this.#worker = worker
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.end()
        resolve(undefined)
      }, limit)
      worker.removeAllListeners()
      worker.once('error', reject)
      worker.once('message', (answers: boolean[]) => {
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
