import { Worker } from 'node:worker_threads'
import { type DocumentSource, type ReadOperations, readOperations } from './read-operations.ts'

/** Shorter texts are read in this thread: that takes less than starting a worker thread. */
const MAX_INLINE = 8 * 1024
const LIMITS = { timeMs: 20_000, memoryMb: 512 }

/** Reads a document without blocking the event loop, in a thread that is ended at its time or memory limit. */
export async function readBoundedDocument(
  source: DocumentSource,
  { timeMs, memoryMb } = LIMITS,
): Promise<ReadOperations> {
  if (source.text.length <= MAX_INLINE) return readOperations(source)
  const worker = new Worker(new URL('./openapi-worker.ts', import.meta.url), {
    workerData: source,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const { promise, resolve } = Promise.withResolvers<ReadOperations>()
  const tooMuch = () =>
    resolve({ ok: false, problem: 'The document takes too much time or memory to be read.' })
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
