/** Dampens the first ranks, so that two middle ranks outweigh one high rank (Cormack et al., 2009). */
const DAMPING = 60

/** An item of a fused ranking. */
export interface FusedItem {
  id: string
  score: number
}

/**
 * Reciprocal rank fusion: an item's score is the sum of 1 / (60 + rank) over the rankings that have it, best first. Equal
 * scores keep the order of the last ranking, then of the ids.
 */
export function fuseRanks(rankings: readonly (readonly string[])[]): FusedItem[] {
  const scores = new Map<string, number>()
  for (const ranking of rankings) {
    for (const [index, id] of ranking.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (DAMPING + index + 1))
    }
  }
  const last = new Map((rankings.at(-1) ?? []).map((id, index) => [id, index]))
  const place = (id: string) => last.get(id) ?? Number.MAX_SAFE_INTEGER
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort((a, b) => b.score - a.score || place(a.id) - place(b.id) || (a.id < b.id ? -1 : 1))
}
