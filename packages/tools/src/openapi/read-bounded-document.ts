import { Worker } from 'node:worker_threads'
import { type DocumentSource, type ReadOperations, readOperations, unreadable } from './read-operations.ts'

/** Shorter texts are read in this thread: that takes less than starting a worker thread. */
const MAX_INLINE = 8 * 1024
const LIMITS = { timeMs: 20_000, memoryMb: 512 }
/** Threads at once in this process: each may take its whole limit of memory. */
const MAX_READERS = 3
/** More than these wait for no thread. */
const MAX_WAITING = 50

let readers = 0
const waiting: (() => void)[] = []

/** Waits for its turn; false: too many wait. The turn is handed on by `release`. */
async function turn(): Promise<boolean> {
  if (readers < MAX_READERS) {
    readers += 1
    return true
  }
  if (waiting.length >= MAX_WAITING) return false
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  await promise
  return true
}

/** The next one takes over the turn, so the number of readers stays. */
function release(): void {
  const next = waiting.shift()
  if (next) next()
  else readers -= 1
}

/** Reads a document without blocking the event loop, in a thread that is ended at its time or memory limit. */
export async function readBoundedDocument(source: DocumentSource, limits = LIMITS): Promise<ReadOperations> {
  if (source.text.length <= MAX_INLINE) return readOperations(source)
  if (!(await turn())) return unreadable('Too many documents are being read now. Try again in a moment.')
  try {
    return await readInThread(source, limits)
  } finally {
    release()
  }
}

async function readInThread(
  source: DocumentSource,
  { timeMs, memoryMb }: typeof LIMITS,
): Promise<ReadOperations> {
  const worker = new Worker(new URL('./openapi-worker.ts', import.meta.url), {
    workerData: source,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const { promise, resolve } = Promise.withResolvers<ReadOperations>()
  const tooMuch = () => resolve(unreadable('The document takes too much time or memory to be read.'))
  const timer = setTimeout(tooMuch, timeMs)
  worker.once('message', resolve)
  worker.once('error', tooMuch)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
