/** The type of a JSON value in words. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const NUMERIC = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/
/** Longer texts are no numbers: `contains` reads the text once for every number of a list. */
const MAX_NUMERIC = 1_000

/** The value of a number or numeric string; null for anything else. */
export function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.length > MAX_NUMERIC || !NUMERIC.test(value.trim())) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/

/** Milliseconds since the epoch of an ISO date or time, in UTC unless it has an offset; null for anything else. */
export function instantIn(value: unknown): number | null {
  const [, date, time, offset] = (typeof value === 'string' && ISO.exec(value)) || []
  if (date === undefined) return null
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // `Date` rolls a nonexistent day over into the next month, so the date no longer matches the input.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return null
  const instant = time === undefined ? midnight : Date.parse(`${date}T${time}${offset ?? 'Z'}`)
  return Number.isNaN(instant) ? null : instant
}
