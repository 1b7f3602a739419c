import { Worker } from 'node:worker_threads'
import type { OrganizationItem } from './bundle-items.ts'
import { LineIndex } from './line-index.ts'
import { BundleError, type BundleProblem } from './problem.ts'
import { type ReadBundle, readBundle } from './read-bundle.ts'
import type { ReadRequest } from './read-worker.ts'
import type { Variables } from './variables.ts'

/** A shorter text is read at once: it takes 20 ms at most, and starting a thread takes longer. */
const MAX_INLINE = 8 * 1024
/** How long a thread may read, and how much memory it may fill. */
const LIMITS = { timeMs: 20_000, memoryMb: 512 }

interface Answer {
  organizations: OrganizationItem[]
  lines: [string, number][]
  problems: BundleProblem[]
}

/**
 * Reads a bundle without holding up the process: a long text in a thread of its own, which is ended when it takes too much
 * time or memory. The parser needs 5 µs for each bracket, and 8 MB may come.
 *
 * @throws BundleError for a text that is too much; every other problem is a value
 */
export async function readBounded(
  text: string,
  variables: Variables,
  { timeMs, memoryMb } = LIMITS,
): Promise<ReadBundle> {
  if (text.length <= MAX_INLINE) return readBundle(text, variables)
  const workerData: ReadRequest = { text, variables }
  const worker = new Worker(new URL('./read-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const timer = setTimeout(() => reject(tooMuch()), timeMs)
  worker.once('message', resolve)
  worker.once('error', (error) => reject(isOutOfMemory(error) ? tooMuch() : error))
  try {
    const { organizations, lines, problems } = await promise
    return { organizations, lines: new LineIndex(lines), problems }
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function tooMuch(): BundleError {
  return new BundleError([{ path: '', message: 'takes too much time or memory to be read', line: null }])
}
