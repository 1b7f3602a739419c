import { isJsonObject } from '@troupe/contract'
import type { StoredExpectation } from '@troupe/storage'
import { containsText } from './contains-text.ts'

/** A part of an output that is not as expected; undefined: it is absent. */
export interface OutputDifference {
  /** Below the output: `output.items.0.name`. */
  path: string
  expected: unknown
  actual: unknown
}

/** Differences that are told. */
const MOST = 20

/**
 * Where an output is not as expected, at most 20 places; empty when it is. Steps linear in both.
 *
 * `contains`: a text is part of a text, the fields of an object are in the other one, and the items of a list come in their order, with
 * others between them.
 */
export function compareOutput(
  expected: NonNullable<StoredExpectation['output']>,
  actual: unknown,
): OutputDifference[] {
  const differences: OutputDifference[] = []
  if (expected.kind === 'equals') findDifferent(expected.value, actual, 'output', differences)
  else findLacking(expected.value, actual, 'output', differences)
  return differences
}

function below(path: string, key: string): string {
  return `${path}.${key.length > 100 ? `${key.slice(0, 100)}…` : key}`
}

function ownValue(holder: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(holder, key) ? holder[key] : undefined
}

function findDifferent(expected: unknown, actual: unknown, path: string, found: OutputDifference[]): void {
  if (found.length >= MOST) return
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length)
    for (let at = 0; at < length && found.length < MOST; at++) {
      findDifferent(expected[at], actual[at], below(path, String(at)), found)
    }
    return
  }
  if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const key of Object.keys(expected)) {
      findDifferent(expected[key], ownValue(actual, key), below(path, key), found)
    }
    for (const key of Object.keys(actual)) {
      if (!Object.hasOwn(expected, key)) findDifferent(undefined, actual[key], below(path, key), found)
    }
    return
  }
  if (expected !== actual) found.push({ path, expected, actual })
}

/** Whether a value contains another one. */
function contains(expected: unknown, actual: unknown): boolean {
  const found: OutputDifference[] = []
  findLacking(expected, actual, '', found)
  return found.length === 0
}

function findLacking(expected: unknown, actual: unknown, path: string, found: OutputDifference[]): void {
  if (found.length >= MOST) return
  if (typeof expected === 'string' && typeof actual === 'string') {
    if (!containsText(actual, expected)) found.push({ path, expected, actual })
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    // The earliest item that fits is taken, so each item is compared once.
    let at = 0
    for (const item of actual) {
      if (at < expected.length && contains(expected[at], item)) at += 1
    }
    if (at < expected.length) found.push({ path: below(path, String(at)), expected: expected[at], actual })
  } else if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const key of Object.keys(expected)) {
      findLacking(expected[key], ownValue(actual, key), below(path, key), found)
    }
  } else if (expected !== actual) {
    found.push({ path, expected, actual })
  }
}
