import { createHash } from 'node:crypto'
import type { Clock } from '@troupe/agents/ports'
import type { OrganizationId } from '@troupe/contract'
import type { HeavyWork } from '@troupe/heavy-work'
import { fetchDocument } from './fetch-document.ts'
import { readBoundedDocument } from './read-bounded-document.ts'
import type { ReadOperations } from './read-operations.ts'

const FETCH_MS = 15_000
const KEPT_MS = 5 * 60_000
/** An unreadable document is requested again sooner than others. */
const FAILURE_KEPT_MS = 10_000
const MAX_ENTRIES = 200
/** Limit of all cached schemas of all owners, in characters; a document of 64 operations has at most 2 million. */
const MAX_CHARACTERS = 32_000_000

/** A document by its address, or by its text. */
export type DocumentLocation = { address: string } | { text: string }

interface Entry {
  read: Promise<ReadOperations>
  until: number
  /** Set once it is read. */
  characters: number
}

/** The operations of documents, each read once in five minutes per organization. */
export class DocumentCache {
  readonly #clock: Pick<Clock, 'now'>
  readonly #heavy: HeavyWork
  readonly #fetch: typeof globalThis.fetch
  readonly #maxCharacters: number
  readonly #entries = new Map<string, Entry>()

  constructor({
    clock,
    heavy,
    fetch,
    maxCharacters = MAX_CHARACTERS,
  }: {
    clock: Pick<Clock, 'now'>
    heavy: HeavyWork
    fetch: typeof globalThis.fetch
    maxCharacters?: number
  }) {
    this.#clock = clock
    this.#maxCharacters = maxCharacters
    this.#heavy = heavy
    this.#fetch = fetch
  }

  /** @throws BusyError if the document was not read; nothing else */
  operations(
    organizationId: OrganizationId,
    location: DocumentLocation,
    allowed: readonly string[] | null,
  ): Promise<ReadOperations> {
    const identity = JSON.stringify([organizationId, location, allowed])
    const key = createHash('sha256').update(identity).digest('base64')
    const now = this.#clock.now()
    const known = this.#entries.get(key)
    if (known && known.until > now) return known.read
    const entry: Entry = {
      read: this.#read(organizationId, location, allowed),
      until: now + KEPT_MS,
      characters: 0,
    }
    for (const [other, { until }] of this.#entries) if (until <= now) this.#entries.delete(other)
    this.#entries.set(key, entry)
    this.#forgetOldest()
    const settled = (read: ReadOperations) => {
      if (!read.ok) entry.until = this.#clock.now() + FAILURE_KEPT_MS
      else {
        const reasons = read.leftOut.reduce((sum, { name, reason }) => sum + name.length + reason.length, 0)
        entry.characters = read.characters + reasons
        this.#forgetOldest()
      }
    }
    // A document that was not read is requested again by the next caller.
    entry.read.then(settled, () => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    })
    return entry.read
  }

  /** Enforces both limits; the newest entry is always kept. */
  #forgetOldest(): void {
    let characters = [...this.#entries.values()].reduce((sum, entry) => sum + entry.characters, 0)
    for (const [key, entry] of this.#entries) {
      const isOver = this.#entries.size > MAX_ENTRIES || characters > this.#maxCharacters
      if (!isOver || this.#entries.size === 1) break
      this.#entries.delete(key)
      characters -= entry.characters
    }
  }

  async #read(
    owner: string,
    location: DocumentLocation,
    allowed: readonly string[] | null,
  ): Promise<ReadOperations> {
    const turn = { heavy: this.#heavy, owner }
    if ('text' in location) return readBoundedDocument(turn, { text: location.text, address: null, allowed })
    const { address } = location
    const signal = AbortSignal.timeout(FETCH_MS)
    return fetchDocument({ ...turn, fetch: this.#fetch }, { address, allowed, signal })
  }
}
