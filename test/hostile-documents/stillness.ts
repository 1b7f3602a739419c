import { Worker } from 'node:worker_threads'

/** What the process did while it was watched. */
export interface Observed {
  /** The longest time in which the event loop did nothing else, in milliseconds. */
  silentMs: number
  /** The most resident memory, in megabytes. */
  memoryMb: number
}

// Beats of the event loop are counted there; the thread reads them while the loop is silent, and the memory of the process.
const WATCH = `
const { workerData } = require('node:worker_threads')
const [beats, silent, memory] = workerData.map((buffer) => new Float64Array(buffer))
const pause = new Int32Array(new SharedArrayBuffer(4))
let last = -1, since = performance.now()
for (;;) {
  const now = performance.now()
  if (beats[0] !== last) { last = beats[0]; since = now }
  silent[0] = Math.max(silent[0], now - since)
  memory[0] = Math.max(memory[0], process.memoryUsage.rss() / 1_048_576)
  Atomics.wait(pause, 0, 0, 2)
}`

/** Watches the event loop and the memory of this process from a thread. */
export class Stillness implements AsyncDisposable {
  readonly #worker: Worker
  readonly #timer: NodeJS.Timeout
  readonly #silent = new Float64Array(new SharedArrayBuffer(8))
  readonly #memory = new Float64Array(new SharedArrayBuffer(8))

  constructor() {
    const beats = new Float64Array(new SharedArrayBuffer(8))
    this.#timer = setInterval(() => {
      beats[0] = (beats[0] ?? 0) + 1
    }, 1)
    this.#worker = new Worker(WATCH, {
      eval: true,
      workerData: [beats.buffer, this.#silent.buffer, this.#memory.buffer],
    })
  }

  /** What was seen since the last call. */
  take(): Observed {
    const seen = { silentMs: this.#silent[0] ?? 0, memoryMb: this.#memory[0] ?? 0 }
    this.#silent[0] = 0
    this.#memory[0] = 0
    return seen
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#worker.terminate()
  }
}
