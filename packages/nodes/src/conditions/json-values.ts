import { propertyOf } from '@troupe/contract'

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

/** The keys of the right side's objects, which `contains` compares with every element of a list. */
export type KnownKeys = WeakMap<object, readonly string[]>

function keysOf(value: object, known: KnownKeys): readonly string[] {
  const keys = known.get(value) ?? Object.keys(value)
  known.set(value, keys)
  return keys
}

/** Whether two JSON values are equal, regardless of key order. Takes time linear in the smaller one. */
export function isDeepEqual(left: unknown, right: unknown, known: KnownKeys = new WeakMap()): boolean {
  const pairs: [unknown, unknown][] = [[left, right]]
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [a, b] = pair
    if (a === b) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (Array.isArray(a) !== Array.isArray(b)) return false
    if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false
    const keys = Object.keys(a)
    if (keys.length !== keysOf(b, known).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false
      pairs.push([propertyOf(a, key), propertyOf(b, key)])
    }
  }
  return true
}
