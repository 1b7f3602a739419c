import { stopping } from './busy-error.ts'
import { bytesOfText } from './bytes-of-text.ts'
import type { HeavyWork } from './heavy-work.ts'
import type { HeavyKind } from './kinds.ts'
import { HEAVY_MEMORY } from './memory.ts'
import { ProcessEnded, type ProcessLimits, runInProcess } from './process/run-in-process.ts'

/** Maximum length of a text that is parsed in this thread: that takes at most 20 ms, less than starting a process. */
const MAX_INLINE = 8 * 1024
const LIMITS: ProcessLimits = { timeMs: 20_000, heapMb: HEAVY_MEMORY.parserHeapMb }

/** A function that is too heavy for the event loop on a long text. */
export interface BoundedParser<Input, Output> {
  kind: HeavyKind
  parse: (input: Input) => Output
  /** Whether `parse` refuses a text without reading it: no process is started for it. Absent: it refuses none. */
  isRefused?: (text: string) => boolean
  /** The file that serves the same function: see `serveInput`. Its result is passed by structured clone. */
  program: URL
}

/** The owner of the work, and how long it waits for the result. */
export interface ParserTurn {
  heavy: HeavyWork
  /** The organization whose turn is used. */
  owner: string
  /** Ends the wait and the parsing; its reason is thrown. */
  signal?: AbortSignal
  /** Bytes that the text keeps in memory while it waits; absent: all of it. 0 for a text that another piece of work accounts for. */
  heldBytes?: number
  limits?: ProcessLimits
}

/**
 * Parses a text without blocking the event loop: a long one in a process that is killed at its time or memory limit.
 *
 * @returns null for a text that takes too much time or memory
 * @throws BusyError when it was not parsed: that does not concern the text
 */
export async function parseBounded<Input extends { text: string }, Output>(
  { kind, parse, isRefused, program }: BoundedParser<Input, Output>,
  { heavy, owner, signal, heldBytes, limits = LIMITS }: ParserTurn,
  input: Input,
): Promise<Output | null> {
  if (input.text.length <= MAX_INLINE || isRefused?.(input.text)) return parse(input)
  const piece = { kind, owner, heldBytes: heldBytes ?? bytesOfText(input.text), ...(signal && { signal }) }
  return heavy.run(piece, async () => {
    try {
      // The program sends the results of `parse`.
      return (await runInProcess(program, input, limits, signal)) as Output
    } catch (error) {
      if (error instanceof ProcessEnded && error.reason === 'stopped') throw stopping()
      if (error instanceof ProcessEnded) return null
      throw error
    }
  })
}
