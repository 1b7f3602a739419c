/**
 * A vector of length 1 in half precision, the precision of the index: with it, an exact search and one by index compare
 * the same numbers. null for a vector without a direction, or with values that are not finite.
 */
export function unitVector(vector: readonly number[]): number[] | null {
  // Divided first: squares of large values overflow.
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (!Number.isFinite(largest) || largest === 0) return null
  const scaled = vector.map((value) => value / largest)
  const length = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0))
  return Number.isFinite(length) ? scaled.map((value) => Math.f16round(value / length)) : null
}
