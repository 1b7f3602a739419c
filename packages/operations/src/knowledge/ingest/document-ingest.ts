import type { ClaimedDocument } from '@troupe/storage'
import { ClaimLostError, type IngestParts, ingestDocument } from './ingest-document.ts'
import { failureOf } from './ingest-failure.ts'
import { UnreachableDocumentError } from './read-source.ts'
import { rebuildVectors } from './rebuild-vectors.ts'

const LEASE_SECONDS = 60
const RENEW_MS = 20_000
/** Maximum claims of a queued document, including those of killed processes. */
const MAX_TRIES = 5
const FIRST_PAUSE_SECONDS = 5
/**
 * Seconds until a used-up budget is checked again, and so the maximum delay of documents after a new month starts or
 * the budget is raised.
 */
const BUDGET_PAUSE_SECONDS = 300

/** Dependencies of the ingest. */
export interface DocumentIngestParts extends IngestParts {
  /** Called for failures whose cause is not in the document. */
  onDefect(error: unknown): void
}

/**
 * Reads queued documents, one at a time in this process. A document belongs to the process that holds its lease; that
 * of a killed process is due again when the lease expires, and is continued after its stored chunks.
 */
export class DocumentIngest implements AsyncDisposable {
  readonly #parts: DocumentIngestParts
  readonly #stop = new AbortController()
  #working: Promise<void> | null = null
  #again = false

  constructor(parts: DocumentIngestParts) {
    this.#parts = parts
  }

  /** Starts reading in the background: a document was queued. */
  hurry(): void {
    void this.work().catch((error: unknown) => this.#parts.onDefect(error))
  }

  /** Reads until no document is due. Rejects when the database fails; the next call continues. */
  work(): Promise<void> {
    this.#again = true
    this.#working ??= this.#drain().finally(() => {
      this.#working = null
    })
    return this.#working
  }

  async #drain(): Promise<void> {
    const { knowledge } = this.#parts.database
    while (this.#again && !this.#stop.signal.aborted) {
      this.#again = false
      for (;;) {
        if (this.#stop.signal.aborted) return
        const document = await knowledge.claim(LEASE_SECONDS)
        if (document !== null) await this.#read(document)
        else if (!(await rebuildVectors(this.#parts, LEASE_SECONDS, this.#stop.signal))) break
      }
    }
  }

  async #read(document: ClaimedDocument): Promise<void> {
    const { knowledge } = this.#parts.database
    const lost = new AbortController()
    const timer = setInterval(() => {
      // A failed renewal shows in the next write.
      knowledge.renew(document, LEASE_SECONDS).then(
        (isHeld) => isHeld || lost.abort(new ClaimLostError('while it was read')),
        () => {},
      )
    }, RENEW_MS)
    try {
      if (document.tries > MAX_TRIES) throw new UnreachableDocumentError(GIVEN_UP)
      await ingestDocument(this.#parts, document, AbortSignal.any([this.#stop.signal, lost.signal]))
      if (!(await knowledge.settle(document, { error: null }))) throw new ClaimLostError('at its end')
    } catch (error) {
      await this.#failed(document, error)
    } finally {
      clearInterval(timer)
    }
  }

  async #failed(document: ClaimedDocument, error: unknown): Promise<void> {
    const { knowledge } = this.#parts.database
    // The claim may still hold: then the base has another set of chunks, or another model, by now. When this process
    // stops, another one may continue immediately.
    if (error instanceof ClaimLostError || this.#stop.signal.aborted) return knowledge.release(document)
    const failure = failureOf(error)
    if (failure === null) this.#parts.onDefect(error)
    const { sentence, isFinal, isUnreadable, isWaiting } = failure ?? {
      sentence: 'It could not be read.',
      isFinal: false,
    }
    if (isWaiting) {
      await knowledge.postpone(document, BUDGET_PAUSE_SECONDS, sentence)
    } else if (isFinal || document.tries >= MAX_TRIES) {
      await knowledge.settle(document, { error: sentence, isUnreadable: isUnreadable ?? false })
    } else {
      await knowledge.postpone(document, FIRST_PAUSE_SECONDS * 2 ** (document.tries - 1))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the server is stopping'))
    await this.#working?.catch(() => {})
  }
}

const GIVEN_UP = `Reading the document failed after ${MAX_TRIES} attempts: each time, the process that read it ended.`
