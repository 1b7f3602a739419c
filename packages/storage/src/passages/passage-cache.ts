import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KnowledgeBaseId, KnowledgeSetId } from '@troupe/contract'
import {
  bytesOfWords,
  NearestVectors,
  type PassageVectors,
  type PassageWords,
  passageWords,
  WordSearch,
} from '@troupe/knowledge'
import { LRUCache } from 'lru-cache'
import { batchesOf, partKey, partsOf } from './document-parts.ts'
import type { DocumentPart, PassageSearch, ReadChunk, WordChunks } from './port.ts'

/** Chunks to scan before yielding to other work: about 4 ms. */
const CHUNKS_A_TURN = 20_000
/** Vector values to compare before yielding to other work: about 5 ms. */
const VALUES_A_TURN = 2_000_000
/** Sets that are too large are not read again before they change. */
const MOST_REFUSED = 1_000
const KEPT_MS = 60 * 60_000

/** Chunks of a document. */
interface Part {
  words: PassageWords
  /** null without an embedding model, and where an index compares vectors. */
  vectors: PassageVectors | null
}

/** The chunks of a set. Immutable: a later read creates a new one, which shares the unchanged parts. */
interface KnownSet {
  state: string
  parts: ReadonlyMap<string, Part>
  bytes: number
}

/** Dependencies of the cache. */
export interface PassageCacheParts {
  store: Pick<PassageSearch, 'askedWords' | 'searchedDocuments' | 'readChunks'>
  /** Whether vectors are compared here, because no index of the database does. */
  withVectors: boolean
  /** Limit for all sets together. A set larger than half of it is not cached. */
  maxBytes: number
  /** Called when passages could not be read: searches continue by SQL. */
  onDefect(error: unknown): void
}

/** A base with its searched set of chunks. */
interface SearchedSet {
  id: KnowledgeBaseId
  setId: KnowledgeSetId
}

/**
 * The words of knowledge bases that were searched before, and their vectors if no index compares them. A search scans
 * them in the process instead of in the database, with the same result: it reads the current documents of the base, and
 * sets that are not cached in their current state are searched by SQL and read in the background.
 */
export class PassageCache implements AsyncDisposable {
  readonly #parts: PassageCacheParts
  readonly #sets: LRUCache<string, KnownSet>
  /** The states of sets that do not fit. */
  readonly #refused = new LRUCache<string, string>({ max: MOST_REFUSED, ttl: KEPT_MS })
  readonly #stop = new AbortController()
  readonly #waiting = new Map<string, SearchedSet>()
  #reading: Promise<void> | null = null

  constructor(parts: PassageCacheParts) {
    this.#parts = parts
    const sizeCalculation = ({ bytes }: KnownSet) => Math.max(1, bytes)
    this.#sets = new LRUCache({
      ttl: KEPT_MS,
      maxSize: parts.maxBytes,
      maxEntrySize: parts.maxBytes / 2,
      sizeCalculation,
    })
  }

  /** Like `matching` of the store without filters; null if a set is not cached in its current state. */
  async matching(
    sets: readonly SearchedSet[],
    lang: string,
    text: string,
  ): Promise<{ chunks: number; words: readonly WordChunks[] } | null> {
    const { words, mostChunks, known } = await this.#ask(sets, lang, text)
    if (known === null) return null
    const search = new WordSearch(words, mostChunks)
    let [chunks, looked] = [0, 0]
    for (const part of known) {
      search.look(part.words)
      chunks += part.words.ids.length
      looked += part.words.ids.length
      if (looked < CHUNKS_A_TURN) continue
      looked = 0
      await nextTurn()
    }
    return { chunks, words: search.found }
  }

  /** Like `nearest` of the store without filters; null if a set is not cached in its current state, or the database has an index. */
  async nearest(
    sets: readonly SearchedSet[],
    vector: readonly number[],
    limit: number,
  ): Promise<{ id: string; similarity: number }[] | null> {
    if (!this.#parts.withVectors) return null
    const { known } = await this.#ask(sets, 'simple', '')
    if (known === null) return null
    const search = new NearestVectors(vector, limit)
    let compared = 0
    for (const { vectors } of known) {
      if (vectors === null) continue
      search.look(vectors)
      compared += vectors.values.length
      if (compared < VALUES_A_TURN) continue
      compared = 0
      await nextTurn()
    }
    return search.found
  }

  /** The words of a text, and the parts of the sets in their current state; null if one is not cached. */
  async #ask(sets: readonly SearchedSet[], lang: string, text: string) {
    const where = { baseIds: sets.map(({ id }) => id), setIds: sets.map(({ setId }) => setId) }
    const { bases, ...asked } = await this.#parts.store.askedWords(where, lang, text)
    const current = sets.map((set) => this.#current(set, bases[set.id]))
    const known = current.flatMap((set) => (set === null ? [] : [...set.parts.values()]))
    return { ...asked, known: current.includes(null) ? null : known }
  }

  /** Resolves when everything searched so far has been read. */
  async settled(): Promise<void> {
    while (this.#reading !== null) await this.#reading
  }

  #current(set: SearchedSet, state: string | undefined): KnownSet | null {
    const known = this.#sets.get(set.setId)
    if (known !== undefined && known.state === state) return known
    if (this.#refused.get(set.setId) !== state) this.#read(set)
    return null
  }

  #read(set: SearchedSet): void {
    this.#waiting.set(set.setId, set)
    this.#reading ??= this.#drain()
      .catch((error: unknown) => this.#parts.onDefect(error))
      .finally(() => {
        this.#reading = null
        this.#waiting.clear()
      })
  }

  async #drain(): Promise<void> {
    for (const set of this.#waiting.values()) {
      const words = await this.#readSet(set)
      if (this.#stop.signal.aborted) return
      if (words !== null) this.#sets.set(set.setId, words)
      this.#waiting.delete(set.setId)
    }
  }

  /** Reads the missing parts; null if the set changes in the meantime or is too large. */
  async #readSet({ id, setId }: SearchedSet): Promise<KnownSet | null> {
    const { store, maxBytes, withVectors } = this.#parts
    const { state, documents } = await store.searchedDocuments(id)
    const before = this.#sets.peek(setId)?.parts
    const parts = new Map<string, Part>()
    const unknown: DocumentPart[] = []
    let bytes = 0
    const keep = (key: string, part: Part) => {
      parts.set(key, part)
      bytes += bytesOfWords(part.words) + (part.vectors?.values.byteLength ?? 0)
    }
    for (const part of documents.flatMap(partsOf)) {
      const known = before?.get(partKey(part))
      if (known) keep(partKey(part), known)
      else unknown.push(part)
    }
    for (const batch of batchesOf(unknown)) {
      if (bytes > maxBytes / 2) {
        this.#refused.set(setId, state)
        return null
      }
      const read = Map.groupBy(
        await store.readChunks(setId, batch, withVectors),
        ({ documentId }) => documentId,
      )
      await nextTurn()
      if (this.#stop.signal.aborted) return null
      for (const part of batch) {
        const chunks = read.get(part.id) ?? []
        if (chunks.length !== part.to - part.from) return null
        keep(partKey(part), { words: passageWords(chunks), vectors: vectorsOf(chunks) })
      }
    }
    if (bytes > maxBytes / 2) this.#refused.set(setId, state)
    return { state, parts, bytes }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.settled()
  }
}

/** The vectors of the chunks that have one; those of one document have one length. */
function vectorsOf(chunks: readonly ReadChunk[]): PassageVectors | null {
  const embedded = chunks.flatMap(({ id, vector }) => (vector === null ? [] : [{ id, vector }]))
  const dims = embedded[0]?.vector.length ?? 0
  if (dims === 0) return null
  const values = new Float32Array(embedded.length * dims)
  for (const [at, { vector }] of embedded.entries()) values.set(vector, at * dims)
  return { ids: embedded.map(({ id }) => id), dims, values }
}
