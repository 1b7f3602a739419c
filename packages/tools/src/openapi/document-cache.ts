import { createHash } from 'node:crypto'
import type { Clock } from '@troupe/agents/ports'
import { readBodyText } from '../request/read-body-text.ts'
import { readBoundedDocument } from './read-bounded-document.ts'
import { type ReadOperations, unreadable } from './read-operations.ts'

/** Stripe's document has 7 MB, GitHub's 13. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024
const FETCH_MS = 15_000
const KEPT_MS = 5 * 60_000
/** A document that cannot be read is asked for again sooner. */
const FAILURE_KEPT_MS = 10_000
const MAX_ENTRIES = 200
/** Of all schemas that are kept, whoever they belong to; a document of 64 operations has at most 2 million. */
const MAX_CHARACTERS = 32_000_000

/** A document by its address, or its own text. */
export type DocumentLocation = { address: string } | { text: string }

interface Entry {
  read: Promise<ReadOperations>
  until: number
  /** Once it is read. */
  characters: number
}

/** The operations of documents, read once in five minutes for each organization. */
export class DocumentCache {
  readonly #clock: Pick<Clock, 'now'>
  readonly #fetch: typeof globalThis.fetch
  readonly #maxCharacters: number
  readonly #entries = new Map<string, Entry>()

  constructor({
    clock,
    fetch,
    maxCharacters = MAX_CHARACTERS,
  }: {
    clock: Pick<Clock, 'now'>
    fetch: typeof globalThis.fetch
    maxCharacters?: number
  }) {
    this.#clock = clock
    this.#maxCharacters = maxCharacters
    this.#fetch = fetch
  }

  /** Never rejects. */
  operations(
    organizationId: string,
    location: DocumentLocation,
    allowed: readonly string[] | null,
  ): Promise<ReadOperations> {
    const identity = JSON.stringify([organizationId, location, allowed])
    const key = createHash('sha256').update(identity).digest('base64')
    const now = this.#clock.now()
    const known = this.#entries.get(key)
    if (known && known.until > now) return known.read
    const entry: Entry = { read: this.#read(location, allowed), until: now + KEPT_MS, characters: 0 }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    this.#forgetOldest()
    entry.read.then((read) => {
      if (!read.ok) entry.until = this.#clock.now() + FAILURE_KEPT_MS
      else {
        entry.characters = read.characters
        this.#forgetOldest()
      }
    })
    return entry.read
  }

  /** Keeps to both limits; the newest entry stays in any case. */
  #forgetOldest(): void {
    let characters = [...this.#entries.values()].reduce((sum, entry) => sum + entry.characters, 0)
    for (const [key, entry] of this.#entries) {
      const isOver = this.#entries.size > MAX_ENTRIES || characters > this.#maxCharacters
      if (!isOver || this.#entries.size === 1) break
      this.#entries.delete(key)
      characters -= entry.characters
    }
  }

  async #read(location: DocumentLocation, allowed: readonly string[] | null): Promise<ReadOperations> {
    if ('text' in location) return readBoundedDocument({ text: location.text, address: null, allowed })
    try {
      const response = await this.#fetch(location.address, { signal: AbortSignal.timeout(FETCH_MS) })
      if (!response.ok) {
        await response.body?.cancel()
        return unreadable(`The address of the document answered with status ${response.status}.`)
      }
      const { text, cut } = await readBodyText(response, MAX_DOCUMENT_BYTES)
      if (cut) return unreadable('The document is larger than 16 MB.')
      return await readBoundedDocument({ text, address: location.address, allowed })
    } catch {
      return unreadable('The document could not be fetched.')
    }
  }
}
