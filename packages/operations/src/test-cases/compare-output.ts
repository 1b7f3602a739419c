import { isJsonObject } from '@troupe/contract'
import type { StoredExpectation } from '@troupe/storage'
import { containsText } from './contains-text.ts'

/** A part of an output that differs from the expectation; undefined: it is absent. */
export interface OutputDifference {
  /** Below the output: `output.items.0.name`. */
  path: string
  expected: unknown
  actual: unknown
}

/** Maximum differences of one output. */
const MOST = 20

/** A comparison with its findings so far. */
interface Comparison {
  found: OutputDifference[]
  /** Stops after this many differences. */
  most: number
  /** The fields of a part of the expectation, cached because it is compared with many items. */
  keysOf(expected: object): readonly string[]
}

/**
 * Finds the differences between an output and its expectation, at most 20. Takes time linear in both.
 *
 * With `contains`, the expectation may be part of the output: a substring of a text, some fields of an object, or items
 * of a list in the same order.
 */
export function compareOutput(
  expected: NonNullable<StoredExpectation['output']>,
  actual: unknown,
): OutputDifference[] {
  const keys = new Map<object, readonly string[]>()
  const keysOf = (holder: object) => {
    const known = keys.get(holder) ?? Object.keys(holder)
    keys.set(holder, known)
    return known
  }
  const comparison: Comparison = { found: [], most: MOST, keysOf }
  if (expected.kind === 'equals') findDifferent(expected.value, actual, 'output', comparison)
  else findLacking(expected.value, actual, 'output', comparison)
  return comparison.found
}

function below(path: string, key: string): string {
  return `${path}.${key.length > 100 ? `${key.slice(0, 100)}…` : key}`
}

function ownValue(holder: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(holder, key) ? holder[key] : undefined
}

function findDifferent(expected: unknown, actual: unknown, path: string, comparison: Comparison): void {
  const { found, most } = comparison
  if (found.length >= most) return
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length)
    for (let at = 0; at < length && found.length < most; at++) {
      findDifferent(expected[at], actual[at], below(path, String(at)), comparison)
    }
    return
  }
  if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const key of Object.keys(expected)) {
      findDifferent(expected[key], ownValue(actual, key), below(path, key), comparison)
    }
    for (const key of Object.keys(actual)) {
      if (!Object.hasOwn(expected, key)) findDifferent(undefined, actual[key], below(path, key), comparison)
    }
    return
  }
  if (expected !== actual) found.push({ path, expected, actual })
}

/** Whether a value contains another one. Stops at the first difference, because lists call it for each item. */
function contains(expected: unknown, actual: unknown, { keysOf }: Comparison): boolean {
  const comparison: Comparison = { found: [], most: 1, keysOf }
  findLacking(expected, actual, '', comparison)
  return comparison.found.length === 0
}

function findLacking(expected: unknown, actual: unknown, path: string, comparison: Comparison): void {
  const { found, most, keysOf } = comparison
  if (typeof expected === 'string' && typeof actual === 'string') {
    if (!containsText(actual, expected)) found.push({ path, expected, actual })
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    // Takes the earliest matching item, so that each item is compared once.
    let at = 0
    for (const item of actual) {
      if (at < expected.length && contains(expected[at], item, comparison)) at += 1
    }
    if (at < expected.length) found.push({ path: below(path, String(at)), expected: expected[at], actual })
  } else if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const key of keysOf(expected)) {
      if (found.length >= most) return
      findLacking(expected[key], ownValue(actual, key), below(path, key), comparison)
    }
  } else if (expected !== actual) {
    found.push({ path, expected, actual })
  }
}
