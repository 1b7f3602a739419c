import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

/** The input of the thread. */
interface Watched {
  /** One number that the event loop of the process increments. */
  beats: Int32Array
  everyMs: number
  /** Checks without a change before the process is ended. */
  patience: number
}

const { beats, everyMs, patience }: Watched = workerData
let last = Atomics.load(beats, 0)
let silent = 0

setInterval(() => {
  const now = Atomics.load(beats, 0)
  silent = now === last ? silent + 1 : 0
  last = now
  if (silent < patience) return
  writeSync(
    2,
    `The process has not answered for ${patience} seconds and is ended. Start it again: what was accepted is stored.\n`,
  )
  process.kill(process.pid, 'SIGKILL')
}, everyMs)

parentPort?.postMessage('watching')
