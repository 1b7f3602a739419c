/** The value at a quantile of the sorted values; 0 for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** The median of the values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Lowest and highest value: the spread that a median hides. */
export function spread(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)]
}
