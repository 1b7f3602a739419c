import { parentPort, workerData } from 'node:worker_threads'

/** The limits at which the process is killed. */
export interface WatchdogLimits {
  /** Resident memory of the process, in bytes. */
  memoryBytes: number
  /** Milliseconds from now. */
  timeoutMs: number
}

/** A document that fills memory at full speed allocates about 30 MB per interval. */
const INTERVAL_MS = 10

// Runs in a separate thread, because a busy parser blocks the event loop. It measures the process's memory,
// since heap limits miss zlib and buffers, and kills from inside because the parent may already be dead.
const { memoryBytes, timeoutMs }: WatchdogLimits = workerData
const lastMoment = performance.now() + timeoutMs
setInterval(() => {
  if (process.memoryUsage.rss() <= memoryBytes && performance.now() <= lastMoment) return
  process.kill(process.pid, 'SIGKILL')
}, INTERVAL_MS)
parentPort?.postMessage('watching')
