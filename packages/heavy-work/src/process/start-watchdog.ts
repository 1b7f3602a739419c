import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { WatchdogLimits } from './watchdog.ts'

/** Resolves once the watchdog is active. It never keeps the process alive. */
export async function startWatchdog(limits: WatchdogLimits): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // In a bundle of the program this file has another extension, and so has the watchdog next to it.
  const program = new URL(`./watchdog${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(program, { workerData: limits })
  worker.once('message', () => resolve())
  worker.once('error', reject)
  await promise
  worker.unref()
}
