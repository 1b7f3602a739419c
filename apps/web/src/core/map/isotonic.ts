/**
 * Moves centres as little as possible from their wanted positions, keeping their order and minimum distances: weighted
 * least squares, by the pool-adjacent-violators algorithm.
 *
 * @param wanted centres in order
 * @param weights greater than 0; how strongly each keeps its position
 * @param gaps the minimum distance between each centre and the previous one; the first is ignored
 */
export function spread(
  wanted: readonly number[],
  weights: readonly number[],
  gaps: readonly number[],
): number[] {
  // With the gaps subtracted, keeping distances means keeping the order.
  const offsets: number[] = []
  let offset = 0
  for (let at = 0; at < wanted.length; at++) {
    if (at > 0) offset += gaps[at] ?? 0
    offsets.push(offset)
  }
  const pools: { mean: number; weight: number; size: number }[] = []
  for (const [at, want] of wanted.entries()) {
    let pool = { mean: want - (offsets[at] ?? 0), weight: weights[at] ?? 1, size: 1 }
    for (let last = pools.at(-1); last && last.mean > pool.mean; last = pools.at(-1)) {
      pools.pop()
      const weight = last.weight + pool.weight
      const mean = (last.mean * last.weight + pool.mean * pool.weight) / weight
      pool = { mean, weight, size: last.size + pool.size }
    }
    pools.push(pool)
  }
  const found: number[] = []
  for (const { mean, size } of pools) {
    for (let one = 0; one < size; one++) found.push(mean + (offsets[found.length] ?? 0))
  }
  return found
}
