import { Worker } from 'node:worker_threads'
import type { WatchdogLimits } from './watchdog.ts'

/** Resolves once the watchdog is active. It never keeps the process alive. */
export async function startWatchdog(limits: WatchdogLimits): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const worker = new Worker(new URL('./watchdog.ts', import.meta.url), { workerData: limits })
  worker.once('message', () => resolve())
  worker.once('error', reject)
  await promise
  worker.unref()
}
