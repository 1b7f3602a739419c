import type { WordEntries } from './rank-by-words.ts'

/** Estimates: objects and typed arrays of a part; the id of a passage with its entry in the arrays. */
const PART_BYTES = 600
const PASSAGE_BYTES = 80
/** More than the words of a part. Combined with a half of a hash, the index is still an exact double. */
const MOST_ENTRIES = 2 ** 20

/** The words of a batch of passages, sorted by the lower halves of their hashes. A word occurs once for each passage. */
export interface PassageWords {
  ids: readonly string[]
  lower: Int32Array
  upper: Int32Array
  /** The passage of each word, as an index of `ids`. */
  passages: Uint8Array
}

/** A word of a question. */
export interface AskedWord extends Pick<WordEntries, 'word' | 'gain'> {
  /** Its hash in each searched set of passages: integers of 64 bits in decimal. */
  hashes: readonly string[]
}

/** Sorts the words of at most 256 passages, given as the upper and the lower half of each hash. */
export function passageWords(given: readonly { id: string; hashes: Int32Array }[]): PassageWords {
  const length = given.reduce((sum, { hashes }) => sum + hashes.length / 2, 0)
  const [lower, upper] = [new Int32Array(length), new Int32Array(length)]
  const [passages, keys] = [new Uint8Array(length), new Float64Array(length)]
  const all = new Int32Array(2 * length)
  const owners = new Uint8Array(length)
  let entry = 0
  for (const [passage, { hashes }] of given.entries()) {
    all.set(hashes, 2 * entry)
    for (let at = 1; at < hashes.length; at += 2) {
      owners[entry] = passage
      keys[entry] = (hashes[at] ?? 0) * MOST_ENTRIES + entry
      entry += 1
    }
  }
  keys.sort()
  for (const [at, key] of keys.entries()) {
    const from = key - Math.floor(key / MOST_ENTRIES) * MOST_ENTRIES
    upper[at] = all[2 * from] ?? 0
    lower[at] = all[2 * from + 1] ?? 0
    passages[at] = owners[from] ?? 0
  }
  return { ids: given.map(({ id }) => id), lower, upper, passages }
}

/** An estimate of their memory use. */
export function bytesOfWords({ ids, lower, upper, passages }: PassageWords): number {
  return PART_BYTES + ids.length * PASSAGE_BYTES + lower.byteLength + upper.byteLength + passages.byteLength
}

/** The first index of a sorted array with a value that is not less. */
function firstNotLess(sorted: Int32Array, value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Searches passages for the words of a question, in batches: 10,000 of 200 words take about 2 ms. */
export class WordSearch {
  readonly #lists: { word: string; gain: number; ids: string[] }[]
  readonly #hashes: { lower: number; upper: number; ids: string[] }[] = []
  readonly #most: number

  /** @param most The list of passages of a word is cut after one more than this number. */
  constructor(asked: readonly AskedWord[], most: number) {
    this.#most = most
    this.#lists = asked.map(({ word, gain }) => ({ word, gain, ids: [] }))
    for (const [at, { hashes }] of asked.entries()) {
      const ids = this.#lists[at]?.ids ?? []
      for (const hash of hashes.map(BigInt)) {
        const [lower, upper] = [BigInt.asIntN(32, hash), BigInt.asIntN(32, hash >> 32n)]
        this.#hashes.push({ lower: Number(lower), upper: Number(upper), ids })
      }
    }
  }

  /** Searches a batch of passages. */
  look({ ids, lower, upper, passages }: PassageWords): void {
    for (const asked of this.#hashes) {
      let at = firstNotLess(lower, asked.lower)
      for (; lower[at] === asked.lower; at += 1) {
        if (upper[at] !== asked.upper || asked.ids.length > this.#most) continue
        asked.ids.push(ids[passages[at] ?? 0] ?? '')
      }
    }
  }

  /** The words found in any passage, with the passages found so far. */
  get found(): WordEntries[] {
    return this.#lists
      .filter(({ ids }) => ids.length > 0)
      .map((list) => ({ ...list, isCut: list.ids.length > this.#most }))
  }
}
