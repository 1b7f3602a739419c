import { compareDecimals } from '@troupe/contract'
import { isDeepEqual, type KnownKeys } from '../schema/deep-equal.ts'
import { jsonType, numberIn } from './json-values.ts'

/** The result of a comparison, or why the sides cannot be compared. */
export type Judged = { ok: true; holds: boolean } | { ok: false; error: string }

/** The error that two sides cannot be compared; names both types. */
export function incomparable(op: string, left: unknown, right: unknown): Judged {
  return { ok: false, error: `${op} cannot compare ${jsonType(left)} with ${jsonType(right)}` }
}

/** A number and a numeric string, or a boolean and `"true"` or `"false"`, in either order; null for other pairs. */
function equalAcrossTypes(left: unknown, right: unknown): boolean | null {
  if (typeof left === 'string' && typeof right !== 'string') return equalAcrossTypes(right, left)
  if (typeof right !== 'string') return null
  if (typeof left === 'number') {
    const number = numberIn(right)
    if (number === null) return null
    // Two numbers that differ as doubles are not equal; those that do not may differ in further digits.
    const own = Number(right) === left ? numberIn(left) : null
    return own !== null && compareDecimals(own, number) === 0
  }
  if (typeof left === 'boolean') return right === 'true' || right === 'false' ? String(left) === right : null
  return null
}

/** Whether two JSON values are equal. Null equals only null; comparing incompatible types is an error. */
export function equal(op: string, left: unknown, right: unknown, known?: KnownKeys): Judged {
  if (left === null || right === null) return { ok: true, holds: left === right }
  if (jsonType(left) === jsonType(right)) return { ok: true, holds: isDeepEqual(left, right, known) }
  const across = equalAcrossTypes(left, right)
  return across === null ? incomparable(op, left, right) : { ok: true, holds: across }
}
