import { once } from 'node:events'
import { url as inspectorUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'

/** How often the thread checks for progress of the event loop, in milliseconds. */
const EVERY_MS = 1_000

/** A thread that watches the event loop until it is disposed. */
export interface Watchdog extends Disposable {
  /** Resolves when the thread runs. */
  started: Promise<unknown>
}

/**
 * Ends the process when its event loop blocks for `patienceSeconds`: a spinning loop runs no signal handler,
 * so even SIGTERM would fail. Counted in checks of a thread, so a suspended machine is not mistaken for a
 * block; a process with an open debugger is not watched, because a breakpoint blocks it.
 */
export function endWhenStuck(patienceSeconds = 60): Watchdog {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  let beat = 0
  const timer = setInterval(() => {
    beat += 1
    Atomics.store(beats, 0, inspectorUrl() === undefined ? beat : 0)
  }, EVERY_MS / 2).unref()
  const worker = new Worker(new URL('./deadman-thread.ts', import.meta.url), {
    workerData: { beats, everyMs: EVERY_MS, patience: patienceSeconds },
    // The thread must not inherit the process's Node flags.
    execArgv: [],
  })
  // Without the thread the process works unsupervised.
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
