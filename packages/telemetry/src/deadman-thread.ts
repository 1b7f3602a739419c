import { writeSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'

/** The input of the thread. */
interface Watched {
  /** A counter that the event loop of the process increments; 0 while it is not watched. */
  beats: Int32Array
  everyMs: number
  /** Checks without progress before the process is ended. */
  patience: number
}

const { beats, everyMs, patience }: Watched = workerData
let last = 0
let silent = 0

setInterval(() => {
  const now = Atomics.load(beats, 0)
  silent = now === last && now !== 0 ? silent + 1 : 0
  last = now
  if (silent < patience) return
  try {
    writeSync(
      2,
      `The event loop was blocked for ${patience} seconds: the process ends. Start it again; accepted work is stored.\n`,
    )
  } catch {
    // Standard output may be closed; the process ends anyway.
  }
  process.kill(process.pid, 'SIGKILL')
  crash()
}, everyMs)

/**
 * Ends process 1 of a container: the kernel ignores its SIGKILL to itself (`pid_namespaces(7)`), but not a breakpoint in its machine code.
 */
function crash(): void {
  setFlagsFromString('--allow-natives-syntax')
  runInThisContext('%SystemBreak()')
}

parentPort?.postMessage('watching')
