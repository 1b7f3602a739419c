import { JSON_BUDGET, jsonExcess } from '@troupe/contract'
import {
  HEAVY_MEMORY,
  type HeavyWork,
  ProcessEnded,
  type ProcessLimits,
  runInProcess,
} from '@troupe/heavy-work'
import type { OrganizationItem } from './bundle-items.ts'
import type { ReadRequest } from './bundle-process.ts'
import { LineIndex } from './line-index.ts'
import { BundleError, type BundleProblem } from './problem.ts'
import { type ReadBundle, readBundle } from './read-bundle.ts'
import type { Variables } from './variables.ts'

/** Shorter texts are parsed in this thread: that takes 20 ms at most, less than starting a process. */
const MAX_INLINE = 8 * 1024
/** Of bundles in JSON, whose size is seen without a parser. Of others the limits of the process are the only ones. */
const BUDGET = { ...JSON_BUDGET, characters: Number.POSITIVE_INFINITY, values: 200_000 }
/** Time and memory limits of the process. */
const LIMITS: ProcessLimits = { timeMs: 20_000, heapMb: HEAVY_MEMORY.parserHeapMb }

interface Answer {
  organizations: OrganizationItem[]
  lines: [string, number][]
  problems: BundleProblem[]
}

/**
 * Reads a bundle without blocking the event loop: a long text is parsed in a process that is ended
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
  const piece = { kind: 'bundle', owner } as const
  return heavy.run(piece, () => readInProcess({ text, variables }, limits))
}

async function readInProcess(request: ReadRequest, limits: ProcessLimits): Promise<ReadBundle> {
  try {
    const read = await runInProcess(new URL('./bundle-process.ts', import.meta.url), request, limits)
    // What the program sends.
    const { organizations, lines, problems } = read as Answer
    return { organizations, lines: new LineIndex(lines), problems }
  } catch (error) {
    throw error instanceof ProcessEnded ? tooMuch() : error
  }
}

function tooMuch(): BundleError {
  return new BundleError([{ path: '', message: 'takes too much time or memory to be read', line: null }])
}
