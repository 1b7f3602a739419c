import { whyUnreachable } from '@troupe/contract'
import { BusyError, type HeavyWork } from '@troupe/heavy-work'
import { readBodyText } from '../request/read-body-text.ts'
import { readBoundedDocument } from './read-bounded-document.ts'
import { type ReadOperations, unreadable } from './read-operations.ts'

/** Maximum bytes of a document: Stripe's has 7 MB, GitHub's 13. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024
/** Maximum causes of an error to examine. */
const MAX_CAUSES = 8

/** The document, the filter and the deadline. */
export interface DocumentRequest {
  address: string
  /** Ids or names of operations; null: all of them. */
  allowed: readonly string[] | null
  /** Ends the request of the document. */
  signal: AbortSignal
  /** Also ends the processing of the fetched document. */
  ends?: AbortSignal
}

/** Dependencies of fetching and reading documents. */
export interface DocumentReader {
  heavy: HeavyWork
  /** The organization in whose queue the document waits. */
  owner: string
  /** The guarded `fetch`. */
  fetch: typeof globalThis.fetch
}

/** Why an address could not be read, as a sentence without hosts. */
function whyNot(error: unknown): string {
  for (let inner = error, depth = 0; inner instanceof Error && depth < MAX_CAUSES; depth += 1) {
    const code: unknown = Reflect.get(inner, 'code')
    // The guarded fetch's own sentence is written for tenants.
    if (code === 'ADDRESS_NOT_ALLOWED') return inner.message
    const reason = typeof code === 'string' ? whyUnreachable(code) : null
    if (reason !== null) return `The document could not be fetched: ${reason}.`
    inner = inner.cause
  }
  return 'The document could not be fetched.'
}

/**
 * Memory in the worst case, in MB: a text has two bytes per character, in addition to the bytes of the response. An
 * unknown length counts as the maximum.
 */
function memoryOf(response: Response): number {
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  const isPlain = response.headers.get('content-encoding') === null
  const bytes = isPlain && length >= 0 ? Math.min(length, MAX_DOCUMENT_BYTES) : MAX_DOCUMENT_BYTES
  return Math.ceil((3 * bytes) / 1024 / 1024)
}

/**
 * Reads the operations of a document at an address, within limits of bytes and time.
 *
 * @throws BusyError if it was not read, which says nothing about the document
 */
export async function fetchDocument(
  { heavy, owner, fetch }: DocumentReader,
  { address, allowed, signal, ends }: DocumentRequest,
): Promise<ReadOperations> {
  try {
    const response = await fetch(address, { signal })
    if (!response.ok) {
      await response.body?.cancel()
      return unreadable(`The address of the document answered with status ${response.status}.`)
    }
    // The body stays in the connection until its turn, and its text stays in memory until it is read.
    const piece = { kind: 'download', owner, memoryMb: memoryOf(response), signal } as const
    return await heavy.run(piece, async () => {
      const { text, cut } = await readBodyText(response, MAX_DOCUMENT_BYTES)
      if (cut) return unreadable('The document is larger than 16 MB.')
      // The memory of the download includes the text.
      const turn = { heavy, owner, heldBytes: 0, ...(ends && { signal: ends }) }
      return readBoundedDocument(turn, { text, address, allowed })
    })
  } catch (error) {
    if (error instanceof BusyError) throw error
    if (signal.aborted) return unreadable('The document could not be fetched in time.')
    return unreadable(whyNot(error))
  }
}
