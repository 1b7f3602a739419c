import { Worker } from 'node:worker_threads'
import { JSON_BUDGET, jsonExcess } from '@troupe/contract'
import { HEAVY_MEMORY, type HeavyWork } from '@troupe/heavy-work'
import type { OrganizationItem } from './bundle-items.ts'
import { LineIndex } from './line-index.ts'
import { BundleError, type BundleProblem } from './problem.ts'
import { type ReadBundle, readBundle } from './read-bundle.ts'
import type { ReadRequest } from './read-worker.ts'
import type { Variables } from './variables.ts'

/** Shorter texts are parsed in this thread: that takes 20 ms at most, less than starting a worker thread. */
const MAX_INLINE = 8 * 1024
/** Of bundles in JSON, whose size is seen without a parser. Of others the limits of the thread are the only ones. */
const BUDGET = { ...JSON_BUDGET, characters: Number.POSITIVE_INFINITY, values: 200_000 }
/** Time and memory limits of the worker thread. */
const LIMITS = { timeMs: 20_000, memoryMb: HEAVY_MEMORY.parserMb }

interface Answer {
  organizations: OrganizationItem[]
  lines: [string, number][]
  problems: BundleProblem[]
}

/**
 * Reads a bundle without blocking the event loop: a long text is parsed in a worker thread that is terminated
 * at its time or memory limit. The parser needs 5 µs per bracket, and a text may have 8 MB.
 *
 * @throws BundleError for a text that exceeds a limit, BusyError when it was not read; every other problem is a value
 */
export async function readBounded(
  { heavy, owner }: { heavy: HeavyWork; owner: string },
  text: string,
  variables: Variables,
  limits = LIMITS,
): Promise<ReadBundle> {
  if (text.length <= MAX_INLINE) return readBundle(text, variables)
  const excess = /^\s*[[{]/.test(text) ? jsonExcess(text, BUDGET) : null
  if (excess !== null) {
    throw new BundleError([{ path: excess.path, message: `must not have ${excess.words}`, line: null }])
  }
  const piece = { kind: 'bundle', owner, memoryMb: limits.memoryMb } as const
  return heavy.run(piece, () => readInThread({ text, variables }, limits))
}

async function readInThread(
  workerData: ReadRequest,
  { timeMs, memoryMb }: typeof LIMITS,
): Promise<ReadBundle> {
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
