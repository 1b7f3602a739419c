import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** How often the thread asks whether the event loop still turns, in milliseconds. */
const EVERY_MS = 1_000

/** A thread that watches the event loop until it is disposed. */
export interface Watchdog extends Disposable {
  /** Resolves when the thread runs. */
  started: Promise<unknown>
}

/**
 * Ends the process when its event loop does not turn for `patienceSeconds`: a loop that spins reaches no signal handler,
 * so that not even SIGTERM would. Measured in looks of a thread, so a machine that slept is not mistaken for it.
 */
export function endWhenStuck(patienceSeconds = 60): Watchdog {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const timer = setInterval(() => void Atomics.add(beats, 0, 1), EVERY_MS / 2).unref()
  const worker = new Worker(new URL('./deadman-thread.ts', import.meta.url), {
    workerData: { beats, everyMs: EVERY_MS, patience: patienceSeconds },
    // What the process was started with is not for a thread.
    execArgv: [],
  })
  // Without the thread the process works as well, just unwatched.
  worker.on('error', () => {})
  worker.unref()
  const started = once(worker, 'message')
  started.catch(() => {})
  return {
    started,
    [Symbol.dispose]() {
      clearInterval(timer)
      void worker.terminate()
    },
  }
}
