/** The passages that have a word at least a number of times. */
export interface WordEntries {
  word: string
  /** Its contribution to a passage's rank: 1 for the first occurrence, less for each repetition. */
  gain: number
  /** Whether there are more passages than `ids`. */
  isCut: boolean
  ids: readonly string[]
}

/**
 * The best passages for the words of a question, similar to BM25: the fewer of all `passages` have a word, the more it counts. Words with
 * truncated entries count only when fewer than `limit` passages have any other. Equal ranks are ordered by id. The result does not depend
 * on the order of the entries.
 */
export function rankByWords(
  entries: readonly WordEntries[],
  { passages, limit }: { passages: number; limit: number },
): string[] {
  const having = new Map<string, number>()
  for (const { word, ids } of entries) having.set(word, Math.max(having.get(word) ?? 0, ids.length))
  const ranks = new Map<string, number>()
  const add = ({ word, gain, ids }: WordEntries) => {
    const found = having.get(word) ?? 0
    const weight = gain * Math.log(1 + (Math.max(passages - found, 0) + 0.5) / (found + 0.5))
    for (const id of ids) ranks.set(id, (ranks.get(id) ?? 0) + weight)
  }
  // Sums of floating-point numbers depend on their order, and so would the order of equal passages.
  const ordered = entries.toSorted((a, b) => (a.word === b.word ? b.gain - a.gain : a.word < b.word ? -1 : 1))
  for (const one of ordered) if (!one.isCut) add(one)
  if (ranks.size < limit) for (const one of ordered) if (one.isCut) add(one)
  return highest(ranks, limit)
}

/** Only candidates for the best are sorted by comparison: a common word ranks thousands. */
function highest(ranks: ReadonlyMap<string, number>, limit: number): string[] {
  const least = Float64Array.from(ranks.values()).sort().at(-limit) ?? -Infinity
  return [...ranks]
    .filter(([, rank]) => rank >= least)
    .sort(([a, best], [b, next]) => next - best || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([id]) => id)
}
