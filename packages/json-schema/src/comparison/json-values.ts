import { type Decimal, decimalOf } from '@troupe/contract'

/** The type of a JSON value in words. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Longer texts are not treated as numbers: `contains` reads the text once for every number of a list. */
const MAX_NUMERIC = 1_000

/** The value of a number or numeric string, with all its digits; null for anything else. */
export function numberIn(value: unknown): Decimal | null {
  if (typeof value === 'number') return decimalOf(String(value))
  return typeof value === 'string' && value.length <= MAX_NUMERIC ? decimalOf(value.trim()) : null
}

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?)((?<=:\d{2}:\d{2})\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?)?$/

/** Nanoseconds since the epoch of an ISO date or time, in UTC unless it has an offset; null for anything else. */
export function instantIn(value: unknown): bigint | null {
  const [, date, time, fraction = '', offset] = (typeof value === 'string' && ISO.exec(value)) || []
  if (date === undefined) return null
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // `Date` rolls a nonexistent day over into the next month, so the date no longer matches the input.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return null
  const zone = offset ?? 'Z'
  // The end of a day, 24:00, has no fraction.
  if (time !== undefined && Number.isNaN(Date.parse(`${date}T${time}${fraction}${zone}`))) return null
  // `Date` drops digits below a millisecond, so the fraction is added here.
  const instant = time === undefined ? midnight : Date.parse(`${date}T${time}${zone}`)
  return BigInt(instant) * 1_000_000n + BigInt(fraction.slice(1).padEnd(9, '0'))
}
