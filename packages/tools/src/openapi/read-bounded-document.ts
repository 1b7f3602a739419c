import { Worker } from 'node:worker_threads'
import { HEAVY_MEMORY, type HeavyWork } from '@troupe/heavy-work'
import { type DocumentSource, type ReadOperations, readOperations, unreadable } from './read-operations.ts'

/** Shorter texts are read in this thread: that takes less than starting a worker thread. */
const MAX_INLINE = 8 * 1024
const LIMITS = { timeMs: 20_000, memoryMb: HEAVY_MEMORY.parserMb }

/**
 * Reads a document without blocking the event loop, in a thread that is ended at its time or memory limit.
 *
 * @param owner the organization whose turn it takes
 * @param signal ends the wait and the reading; its reason is thrown
 * @throws BusyError when it was not read: that says nothing about the document
 */
export async function readBoundedDocument(
  { heavy, owner }: { heavy: HeavyWork; owner: string },
  source: DocumentSource,
  { limits = LIMITS, signal }: { limits?: typeof LIMITS; signal?: AbortSignal } = {},
): Promise<ReadOperations> {
  if (source.text.length <= MAX_INLINE) return readOperations(source)
  const piece = { kind: 'openapi', owner, memoryMb: limits.memoryMb, ...(signal && { signal }) } as const
  return heavy.run(piece, () => readInThread(source, limits, signal))
}

async function readInThread(
  source: DocumentSource,
  { timeMs, memoryMb }: typeof LIMITS,
  signal: AbortSignal | undefined,
): Promise<ReadOperations> {
  const worker = new Worker(new URL('./openapi-worker.ts', import.meta.url), {
    workerData: source,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const { promise, resolve, reject } = Promise.withResolvers<ReadOperations>()
  const tooMuch = () => resolve(unreadable('The document takes too much time or memory to be read.'))
  const timer = setTimeout(tooMuch, timeMs)
  worker.once('message', resolve)
  worker.once('error', tooMuch)
  const abort = () => reject(signal?.reason)
  signal?.addEventListener('abort', abort)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    await worker.terminate()
  }
}
