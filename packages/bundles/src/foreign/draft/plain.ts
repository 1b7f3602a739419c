/**
 * A value of an export as text; '' for other values. `String` fails for an object whose `toString` is not a function, which JSON can contain.
 */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** A value of an export as a number; NaN for other values. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
    ? Number(value)
    : Number.NaN
}
