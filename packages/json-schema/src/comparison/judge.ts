import { compareDecimals, type Operator } from '@troupe/contract'
import { compilePattern } from '../patterns/linear-pattern.ts'
import { MatchBudget, PatternTooCostly } from '../patterns/match-budget.ts'
import type { KnownKeys } from '../schema/deep-equal.ts'
import { equal, incomparable, type Judged } from './equality.ts'
import { instantIn, numberIn } from './json-values.ts'

const judged = (holds: boolean): Judged => ({ ok: true, holds })
const negated = (answer: Judged): Judged => (answer.ok ? judged(!answer.holds) : answer)

/**
 * Negative, zero or positive, as the left one of two numbers, numeric strings or ISO dates is smaller, equal or larger; null
 * for other pairs. Exact: numbers by all their digits, times by their nanoseconds.
 */
function orderOf(left: unknown, right: unknown): number | null {
  if (typeof left === 'number' && typeof right === 'number') return Math.sign(left - right)
  const [a, b] = [numberIn(left), numberIn(right)]
  if (a !== null && b !== null) return compareDecimals(a, b)
  const [from, to] = [instantIn(left), instantIn(right)]
  if (from === null || to === null) return null
  return from === to ? 0 : from < to ? -1 : 1
}

function ordered(op: 'gt' | 'gte' | 'lt' | 'lte', left: unknown, right: unknown): Judged {
  const order = orderOf(left, right)
  if (order === null) return incomparable(op, left, right)
  switch (op) {
    case 'gt':
      return judged(order > 0)
    case 'gte':
      return judged(order >= 0)
    case 'lt':
      return judged(order < 0)
    case 'lte':
      return judged(order <= 0)
    default:
      return op satisfies never
  }
}

/** Tests for a substring or a list element; an incomparable element counts as different. */
function contains(op: Operator, left: unknown, right: unknown): Judged {
  if (Array.isArray(left)) {
    const known: KnownKeys = new WeakMap()
    return judged(
      left.some((element) => {
        const same = equal('eq', element, right, known)
        return same.ok && same.holds
      }),
    )
  }
  if (typeof left === 'string' && typeof right === 'string') return judged(left.includes(right))
  return incomparable(op, left, right)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function matches(left: unknown, right: unknown, budget: MatchBudget): Judged {
  if (typeof left !== 'string' || typeof right !== 'string') return incomparable('matches', left, right)
  try {
    const pattern = compilePattern(right, budget)
    if (!pattern.ok) return { ok: false, error: `the pattern ${pattern.message}` }
    return judged(pattern.find(left, budget))
  } catch (error) {
    if (error instanceof PatternTooCostly) return { ok: false, error: `the pattern ${error.message}` }
    throw error
  }
}

/**
 * Applies an operator to two resolved sides; `exists` and `not_exists` assume a resolved left side. Never throws.
 *
 * @param budget of pattern matching, shared by all conditions of one check
 */
export function judge(op: Operator, left: unknown, right: unknown, budget = new MatchBudget()): Judged {
  switch (op) {
    case 'eq':
      return equal(op, left, right)
    case 'neq':
      return negated(equal(op, left, right))
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return ordered(op, left, right)
    case 'contains':
      return contains(op, left, right)
    case 'not_contains':
      return negated(contains(op, left, right))
    case 'starts_with':
    case 'ends_with':
      if (typeof left !== 'string' || typeof right !== 'string') return incomparable(op, left, right)
      return judged(op === 'starts_with' ? left.startsWith(right) : left.endsWith(right))
    case 'is_empty':
      return judged(isEmpty(left))
    case 'is_not_empty':
      return judged(!isEmpty(left))
    case 'exists':
      return judged(true)
    case 'not_exists':
      return judged(false)
    case 'is_true':
      return judged(left === true)
    case 'is_false':
      return judged(left === false)
    case 'matches':
      return matches(left, right, budget)
    default:
      return op satisfies never
  }
}
