import { PART_HASH_BYTES, storableJson } from '@troupe/storage'

/**
 * Parts in a new chunk; a chunk is split at twice as many. A save writes one or two chunks, and joins a few hundred.
 */
const CHUNK_PARTS = 64
/** Approximate memory of a part in addition to its text: its key, hint, hash and end. */
const BYTES_OF_PART = 150
/** Maximum parts that saves add before the hints are rebuilt. */
const FEW_PARTS = 50

/**
 * Adjacent parts of a list as their JSON, joined by commas. Compared by identity, because lists share unchanged chunks.
 */
export interface Chunk {
  keys: readonly string[]
  /** Where the text of each part ends. */
  ends: readonly number[]
  text: string
  /** Length of the text in UTF-8 bytes. */
  bytes: number
  /** The hashes of the parts, concatenated. */
  hashes: Uint8Array
}

/** The hash of a part whose JSON is known. */
export type HashOfPart<T> = (part: T, json: string) => Uint8Array

/** The difference between two lists of parts. */
export interface PartsPatch<T> {
  /** Keys of parts that have left their place. */
  gone: ReadonlySet<string>
  /** Keys of new parts, in order, by the key of the unmoved part that they directly precede. */
  ahead: ReadonlyMap<string, readonly string[]>
  /** Keys of new parts at the end. */
  last: readonly string[]
  /** New parts, and parts whose content changed in place. */
  changed: ReadonlyMap<string, T>
}

/**
 * The nodes or the edges of a draft as stored JSON, in which a part is found and replaced without reading the others.
 * Immutable: `patched` returns another list that shares all unchanged chunks.
 *
 * The key of a part is its id. A second part with the same id, which no valid graph has, gets another key.
 */
export class PartTexts<T extends { id: string }> {
  readonly chunks: readonly Chunk[]
  readonly #hashOf: HashOfPart<T>
  /** The keys of further parts by their id. Removed parts are not deleted from it. */
  readonly #repeats: ReadonlyMap<string, readonly string[]>
  /**
   * The approximate position of each key's chunk. Successive lists share it, and changes in one list do not affect the
   * others.
   */
  readonly #hints: ReadonlyMap<string, number>
  /** The same for the few parts that were added since the hints were built. */
  readonly #addedHints: ReadonlyMap<string, number>
  readonly size: number

  private constructor(
    hashOf: HashOfPart<T>,
    chunks: readonly Chunk[],
    repeats: ReadonlyMap<string, readonly string[]>,
    hints: readonly [all: ReadonlyMap<string, number>, added: ReadonlyMap<string, number>] | null,
  ) {
    this.#hashOf = hashOf
    this.chunks = chunks
    this.#repeats = repeats
    this.size = chunks.reduce((sum, { keys }) => sum + keys.length, 0)
    ;[this.#hints, this.#addedHints] = hints ?? [hintsOf(chunks), new Map()]
  }

  /** @param parts as stored */
  static of<T extends { id: string }>(parts: readonly T[], hashOf: HashOfPart<T>): PartTexts<T> {
    const taken = new Set<string>()
    const repeats = new Map<string, string[]>()
    const entries = parts.map((part): Entry => {
      const { id } = part
      // Stored ids contain no NUL.
      const key = taken.has(id) ? `${id}\0${taken.size}` : id
      if (key !== id) repeats.set(id, [...(repeats.get(id) ?? []), key])
      taken.add(key)
      const json = JSON.stringify(part)
      return [key, json, hashOf(part, json)]
    })
    return new PartTexts(hashOf, chunksOf(entries), repeats, null)
  }

  keys(): string[] {
    return this.chunks.flatMap(({ keys }) => keys)
  }

  has(key: string): boolean {
    return this.#placeOf(key) !== -1
  }

  /** The stored JSON of a part; null if there is none. */
  textOf(key: string): string | null {
    const chunk = this.chunks[this.#placeOf(key)]
    return chunk ? textIn(chunk, chunk.keys.indexOf(key)) : null
  }

  /** The keys of further parts with this id. */
  repeatsOf(id: string): readonly string[] {
    return (this.#repeats.get(id) ?? []).filter((key) => this.has(key))
  }

  /** The hashes of all parts in order, in pieces. */
  hashes(): Uint8Array[] {
    return this.chunks.map(({ hashes }) => hashes)
  }

  /** The JSON of all parts in pieces, with the commas between them. */
  pieces(): string[] {
    return this.chunks.flatMap(({ text }, at) => (at === 0 ? text : [',', text]))
  }

  /** Length of all pieces in UTF-8 bytes. */
  get bytes(): number {
    return this.chunks.reduce((sum, { bytes }) => sum + bytes, Math.max(0, this.chunks.length - 1))
  }

  /** Approximate bytes in memory, where a character takes one or two. */
  get memory(): number {
    const hints = this.#hints.size + this.#addedHints.size
    return this.chunks.reduce((sum, { text }) => sum + 2 * text.length, hints * BYTES_OF_PART)
  }

  /** The list with the difference applied. */
  patched({ gone, ahead, last, changed }: PartsPatch<T>): PartTexts<T> {
    const touched = new Set([...gone, ...ahead.keys(), ...changed.keys()].map((key) => this.#placeOf(key)))
    const final = this.chunks.length - 1
    if (last.length > 0) touched.add(final)
    const added = (key: string): Entry => {
      const part = changed.get(key)
      const json = storableJson(part)
      return [key, json, part === undefined ? new Uint8Array() : this.#hashOf(part, json)]
    }
    const chunks = this.chunks.flatMap((chunk, place) => {
      if (!touched.has(place)) return chunk
      const entries = chunk.keys.flatMap((key, at): Entry[] => {
        const before = (ahead.get(key) ?? []).map(added)
        if (gone.has(key)) return before
        return [...before, changed.has(key) ? added(key) : [key, textIn(chunk, at), hashIn(chunk, at)]]
      })
      return chunksOf(place === final ? [...entries, ...last.map(added)] : entries)
    })
    if (final === -1) chunks.push(...chunksOf(last.map(added)))
    // Hints of removed parts are deleted, because a removed part would otherwise be searched in every chunk. A failed
    // save changes only its own copy of the hints.
    const addedHints = new Map(this.#addedHints)
    for (const key of last) addedHints.set(key, Math.max(0, final))
    for (const [key, keys] of ahead) for (const one of keys) addedHints.set(one, this.#placeOf(key))
    const isFew = gone.size === 0 && addedHints.size <= FEW_PARTS
    return new PartTexts(this.#hashOf, chunks, this.#repeats, isFew ? [this.#hints, addedHints] : null)
  }

  /** The position of the chunk with a key; -1: none. */
  #placeOf(key: string): number {
    const hint = this.#hints.get(key) ?? this.#addedHints.get(key)
    if (hint === undefined) return -1
    const has = (place: number) => this.chunks[place]?.keys.includes(key) ?? false
    for (let away = 0; away <= Math.max(hint, this.chunks.length); away += 1) {
      if (has(hint + away)) return hint + away
      if (has(hint - away)) return hint - away
    }
    return -1
  }
}

function hintsOf(chunks: readonly Chunk[]): Map<string, number> {
  return new Map(chunks.flatMap(({ keys }, place) => keys.map((key): [string, number] => [key, place])))
}

/** The key of a part, its JSON and its hash. */
type Entry = readonly [key: string, text: string, hash: Uint8Array]

function chunksOf(entries: readonly Entry[]): Chunk[] {
  if (entries.length === 0) return []
  if (entries.length < 2 * CHUNK_PARTS) return [chunkOf(entries)]
  const count = Math.ceil(entries.length / CHUNK_PARTS)
  return Array.from({ length: count }, (_, n) =>
    chunkOf(entries.slice(n * CHUNK_PARTS, (n + 1) * CHUNK_PARTS)),
  )
}

function chunkOf(entries: readonly Entry[]): Chunk {
  let end = -1
  const ends = entries.map(([, { length }]) => {
    end += length + 1
    return end
  })
  const joined = entries.map(([, one]) => one).join(',')
  // The text of a part may be a slice of a previous chunk, and would keep that chunk in memory. Joining a single text
  // copies nothing.
  const text = entries.length === 1 ? Buffer.from(joined).toString() : joined
  return {
    keys: entries.map(([key]) => key),
    ends,
    text,
    bytes: Buffer.byteLength(text),
    hashes: Buffer.concat(entries.map(([, , hash]) => hash)),
  }
}

function textIn({ text, ends }: Chunk, at: number): string {
  return text.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, ends[at])
}

function hashIn({ hashes }: Chunk, at: number): Uint8Array {
  return hashes.subarray(at * PART_HASH_BYTES, (at + 1) * PART_HASH_BYTES)
}
