/** The indexes of a longest increasing subsequence, in order: these need not be moved when the numbers are sorted. */
export function longestRising(numbers: readonly number[]): number[] {
  /** For each length, the index of the smallest number that ends an increasing subsequence of it. */
  const ends: number[] = []
  const before: number[] = []
  for (const [index, number] of numbers.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1
      else high = middle
    }
    before[index] = ends[low - 1] ?? -1
    ends[low] = index
  }
  const found: number[] = []
  for (let at = ends.at(-1) ?? -1; at !== -1; at = before[at] ?? -1) found.push(at)
  return found.reverse()
}
