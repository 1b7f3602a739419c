import {
  HEAVY_MEMORY,
  type HeavyWork,
  ProcessEnded,
  type ProcessLimits,
  runInProcess,
} from '@troupe/heavy-work'
import { type DocumentSource, type ReadOperations, readOperations, unreadable } from './read-operations.ts'

/** Shorter texts are read in this thread: that takes less than starting a process. */
const MAX_INLINE = 8 * 1024
const LIMITS: ProcessLimits = { timeMs: 20_000, heapMb: HEAVY_MEMORY.parserHeapMb }

/**
 * Reads a document without blocking the event loop, in a process that is ended at its time or memory limit.
 *
 * @param owner the organization whose turn it takes
 * @param signal ends the wait and the reading; its reason is thrown
 * @throws BusyError when it was not read: that says nothing about the document
 */
export async function readBoundedDocument(
  { heavy, owner }: { heavy: HeavyWork; owner: string },
  source: DocumentSource,
  { limits = LIMITS, signal }: { limits?: ProcessLimits; signal?: AbortSignal } = {},
): Promise<ReadOperations> {
  if (source.text.length <= MAX_INLINE) return readOperations(source)
  const piece = { kind: 'openapi', owner, ...(signal && { signal }) } as const
  return heavy.run(piece, () => readInProcess(source, limits, signal))
}

async function readInProcess(
  source: DocumentSource,
  limits: ProcessLimits,
  signal: AbortSignal | undefined,
): Promise<ReadOperations> {
  try {
    const read = await runInProcess(new URL('./openapi-process.ts', import.meta.url), source, limits, signal)
    // What the program sends is what `readOperations` returns.
    return read as ReadOperations
  } catch (error) {
    if (!(error instanceof ProcessEnded)) throw error
    return unreadable('The document takes too much time or memory to be read.')
  }
}
