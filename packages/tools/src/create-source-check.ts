import { BusyError, type HeavyWork } from '@troupe/heavy-work'
import type { CodeSandbox } from './code/code-sandbox.ts'
import { fetchDocument } from './openapi/fetch-document.ts'
import { readBoundedDocument } from './openapi/read-bounded-document.ts'
import { type ReadOperations, unreadable } from './openapi/read-operations.ts'

/** Settles with the work, or with `late` once the signal fires. */
async function orLate<T>(work: Promise<T>, signal: AbortSignal, late: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const end = () => resolve(late)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** Dependencies of the checks. */
export interface SourceCheckParts {
  heavy: HeavyWork
  /** The guarded `fetch`. */
  fetch: typeof globalThis.fetch
}

/**
 * Checks the texts in configurations in the same way as when tools are built. The functions for scripts and documents
 * throw BusyError if a text was not read.
 */
export function createSourceCheck(
  sandbox: Pick<CodeSandbox, 'problemOf'>,
  { heavy, fetch }: SourceCheckParts,
) {
  return {
    scriptProblem: (source: string, owner: string) => sandbox.problemOf(source, owner),
    async documentFindings(document: string | object, operations: readonly string[] | null, owner: string) {
      const text = typeof document === 'string' ? document : JSON.stringify(document)
      return findingsOf(
        await readBoundedDocument({ heavy, owner }, { text, address: null, allowed: operations }),
      )
    },
    async addressFindings(
      {
        address,
        operations,
        owner,
      }: { address: string; operations: readonly string[] | null; owner: string },
      signal: AbortSignal,
    ) {
      const request = { address, allowed: operations, signal, ends: signal }
      const reading = fetchDocument({ heavy, owner, fetch }, request).catch((error: unknown) => {
        if (error instanceof BusyError) return unreadable('The server is busy and has not read it.')
        throw error
      })
      return findingsOf(await orLate(reading, signal, unreadable('It was not read in time.')))
    },
  }
}

function findingsOf(read: ReadOperations) {
  return { problem: read.ok ? null : read.problem, leftOut: read.leftOut }
}
