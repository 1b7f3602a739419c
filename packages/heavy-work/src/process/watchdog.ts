import { parentPort, workerData } from 'node:worker_threads'
import { OUT_OF_TIME_SIGNAL } from './out-of-time.ts'

/** The limits at which the process is killed. */
export interface WatchdogLimits {
  /** Resident memory of the process, in bytes; null: the limit of its heap is the only one. */
  memoryBytes: number | null
  /** Milliseconds of CPU time of the whole process. */
  timeMs: number
  /** The process id of the server, which started this process. */
  parent: number
}

/** A document that fills memory at full speed allocates about 30 MB per interval. */
const INTERVAL_MS = 10

// Runs in a separate thread, because a busy parser blocks the event loop. It measures the process's memory,
// since heap limits miss zlib and buffers, and kills from inside because the parent may already be dead.
const { memoryBytes, timeMs, parent }: WatchdogLimits = workerData
setInterval(() => {
  if (memoryBytes !== null && process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, 'SIGKILL')
  // A killed server cannot end its child processes, and no other process needs the result.
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  const { user, system } = process.cpuUsage()
  // Includes this thread, whose share is negligible.
  if ((user + system) / 1_000 > timeMs) process.kill(process.pid, OUT_OF_TIME_SIGNAL)
}, INTERVAL_MS)
parentPort?.postMessage('watching')
