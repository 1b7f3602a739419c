import { parentPort, workerData } from 'node:worker_threads'
import { OUT_OF_TIME_SIGNAL } from './ends.ts'

/** The limits at which the process is killed. */
export interface WatchdogLimits {
  /** Resident memory of the process, in bytes. */
  memoryBytes: number
  /** Milliseconds of processor time of the whole process. */
  timeoutMs: number
}

/** A document that fills memory at full speed allocates about 30 MB per interval. */
const INTERVAL_MS = 10

// Runs in a separate thread, because a busy parser blocks the event loop. It measures the process's memory,
// since heap limits miss zlib and buffers, and kills from inside because the parent may already be dead.
const { memoryBytes, timeoutMs }: WatchdogLimits = workerData
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, 'SIGKILL')
  const { user, system } = process.cpuUsage()
  // Of this thread too, which takes next to nothing.
  if ((user + system) / 1_000 > timeoutMs) process.kill(process.pid, OUT_OF_TIME_SIGNAL)
}, INTERVAL_MS)
parentPort?.postMessage('watching')
