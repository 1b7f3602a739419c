import { Worker } from 'node:worker_threads'

// The thread reads the memory of the process while the event loop is busy.
const WATCH = `
const { workerData } = require('node:worker_threads')
const most = new Float64Array(workerData)
const pause = new Int32Array(new SharedArrayBuffer(4))
for (;;) {
  most[0] = Math.max(most[0], process.memoryUsage.rss() / 1_048_576)
  Atomics.wait(pause, 0, 0, 2)
}`

/** Watches the resident memory of this process from a thread. */
export class MemoryWatch implements AsyncDisposable {
  readonly #most = new Float64Array(new SharedArrayBuffer(8))
  readonly #worker = new Worker(WATCH, { eval: true, workerData: this.#most.buffer })

  /** The maximum since the last call, in megabytes. */
  take(): number {
    const [most = 0] = this.#most
    this.#most[0] = 0
    return most
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate()
  }
}
