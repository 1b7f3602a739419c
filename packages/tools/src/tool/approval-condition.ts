import type { ApprovalCondition } from '@troupe/contract'
import { judge } from '@troupe/json-schema'

type Operator = ApprovalCondition['op']

/** The value at a path of keys and indexes (`order.items.0.price`); null if there is none. */
function argumentAt(args: unknown, field: string): { value: unknown } | null {
  let value = args
  for (const key of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null
    value = Reflect.get(value, key)
  }
  return { value }
}

/** Deeper values are not compared. */
const MAX_DEPTH = 64
/** Invisible characters, for example directional marks, joiners and soft hyphens. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * A text with its case folded. It goes through the upper case, because only that unifies letters such as `ß` and `SS`,
 * or `ς` and `σ`. The dot of a lower-cased `İ` is removed, so that it becomes an `i`. `ς`, which only occurs at the end
 * of words, becomes `σ`, so that part of a word is found in it.
 */
function caseless(text: string): string {
  // Lower case first: the upper case of `ẞ` is `ẞ`, but that of `ß` is `SS`.
  const unified = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase()
  return unified.replaceAll('i\u0307', 'i').replaceAll('ς', 'σ').normalize('NFC')
}

/**
 * A text reduced to its appearance: compatible characters are unified, and surrounding white space and invisible
 * characters are removed.
 */
function lookOf(text: string): string {
  return caseless(text.normalize('NFKC').replaceAll(UNSEEN, '')).normalize('NFKC').trim()
}

/** The value with all its texts changed; undefined if it is nested too deeply. Names of properties are unchanged. */
function withTexts(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) throw new RangeError('too deep')
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withTexts(one, change, depth + 1)]),
  )
}

/** Operators whose condition a model could evade by writing the same text differently. */
const FINDS: readonly Operator[] = ['eq', 'contains', 'starts_with', 'ends_with', 'matches']

/** Whether both are texts of equal numbers: `100` and `100.0`. */
function areEqualNumbers(op: Operator, left: unknown, right: unknown): boolean {
  if (op !== 'eq' || typeof left !== 'string' || typeof right !== 'string') return false
  const [atLeast, atMost] = [judge('gte', left, right), judge('lte', left, right)]
  return atLeast.ok && atMost.ok && atLeast.holds && atMost.holds
}

/** True when the condition holds, or when the sides cannot be compared. */
function holdsOrUnknown(op: Operator, left: unknown, right: unknown): boolean {
  const answer = judge(op, left, right)
  return !answer.ok || answer.holds
}

/**
 * Whether arguments meet the condition under which a person must approve. A value that cannot be compared meets it: a
 * missing argument, or one of another type, must not bypass the approval.
 *
 * Texts are compared without regard to case (`eur` is `EUR`). An operator that searches for a text also finds
 * lookalikes: full-width letters, surrounding white space, invisible characters, and other notations of a number.
 */
export function meetsCondition(
  { field, op, value = null }: ApprovalCondition,
  args: Record<string, unknown>,
): boolean {
  const found = argumentAt(args, field)
  if (op === 'exists') return found !== null
  if (op === 'not_exists') return found === null
  if (found === null) return true
  const left = found.value
  if (op === 'is_true' || op === 'is_false')
    return typeof left !== 'boolean' || holdsOrUnknown(op, left, value)
  try {
    // A pattern is not a text: its letters are unchanged, and its flag makes it case-insensitive.
    const isPattern = op === 'matches' && typeof value === 'string'
    const right = (change: (text: string) => string) =>
      isPattern ? `(?i)${value}` : withTexts(value, change)
    if (isPattern && holdsOrUnknown(op, left, right(caseless))) return true
    if (holdsOrUnknown(op, withTexts(left, caseless), right(caseless))) return true
    if (!FINDS.includes(op)) return false
    const [looks, sought] = [withTexts(left, lookOf), right(lookOf)]
    return holdsOrUnknown(op, looks, sought) || areEqualNumbers(op, looks, sought)
  } catch (error) {
    if (error instanceof RangeError) return true
    throw error
  }
}
