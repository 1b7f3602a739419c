import { parentPort, workerData } from 'node:worker_threads'

/** When the process is ended. */
export interface WatchdogLimits {
  /** Resident memory of the process, in bytes. */
  memoryBytes: number
  /** From now on, in milliseconds. */
  timeoutMs: number
}

/** A document that fills memory as fast as a machine can takes about 30 MB in this time. */
const INTERVAL_MS = 10

// A thread of its own, because a parser that is busy never gives the event loop back. Limits of the heap do not see what
// zlib and buffers take, so that the whole process is measured. It ends itself, and not the parent alone, because the
// parent may have died in the meantime.
const { memoryBytes, timeoutMs }: WatchdogLimits = workerData
const lastMoment = performance.now() + timeoutMs
setInterval(() => {
  if (process.memoryUsage.rss() <= memoryBytes && performance.now() <= lastMoment) return
  process.kill(process.pid, 'SIGKILL')
}, INTERVAL_MS)
parentPort?.postMessage('watching')
