import { isJsonObject, OPERATORS, type Operator } from '@troupe/contract'
import type { KnownToken } from '@troupe/editor/tokens/known-tokens'
import { isWholeToken } from '@troupe/graph'
import { MAX_CONDITION_DEPTH } from '@troupe/nodes/conditions'
import { literalOf } from './literal-text.ts'

type Entry = Record<string, unknown>

/** Maximum rows that are edited as fields: an imported workflow may have thousands. */
const MAX_ROWS = 200

/** The editor of one entry in a group of conditions. */
export type ConditionRow =
  | { kind: 'comparison'; entry: Entry }
  | { kind: 'group'; entry: Entry; conditions: readonly unknown[] }
  /** As JSON: its fields could not show all of it. */
  | { kind: 'json' }

/**
 * The editor of an entry in a group of this depth; the outermost group is 1. As on the server, the key alone makes a group: a
 * comparison has no `conditions`.
 */
export function conditionRow(entry: unknown, depth: number): ConditionRow {
  if (!isJsonObject(entry)) return { kind: 'json' }
  if (!Object.hasOwn(entry, 'conditions')) {
    const isPlain = isOperand(entry.left) && isOperand(entry.right) && isWord(entry.op)
    return isPlain ? { kind: 'comparison', entry } : { kind: 'json' }
  }
  const { match, conditions } = entry
  if (!Array.isArray(conditions) || !isWord(match) || depth >= MAX_CONDITION_DEPTH) return { kind: 'json' }
  return { kind: 'group', entry, conditions }
}

/** The reason why conditions are edited as JSON as a whole; null: they have fields. */
export function conditionsFault(list: unknown): 'not-a-list' | 'too-many' | null {
  if (!Array.isArray(list)) return 'not-a-list'
  return rowsLeft(list, 1, MAX_ROWS) < 0 ? 'too-many' : null
}

function rowsLeft(list: readonly unknown[], depth: number, left: number): number {
  let rest = left - list.length
  for (const entry of list) {
    if (rest < 0) return rest
    const row = conditionRow(entry, depth)
    if (row.kind === 'group') rest = rowsLeft(row.conditions, depth + 1, rest)
  }
  return rest
}

const ORDERED: readonly Operator[] = ['gt', 'gte', 'lt', 'lte']
const OF_TEXTS: readonly Operator[] = ['starts_with', 'ends_with', 'matches']
const OF_PARTS: readonly Operator[] = ['contains', 'not_contains']
const OF_TRUTH: readonly Operator[] = ['is_true', 'is_false']

/** The operators that can hold for no value of a type, or that end the run with an error. */
const WITHOUT: Readonly<Record<string, readonly Operator[]>> = {
  // A text may be a number or a time, which are ordered.
  string: OF_TRUTH,
  number: [...OF_TEXTS, ...OF_PARTS, ...OF_TRUTH],
  integer: [...OF_TEXTS, ...OF_PARTS, ...OF_TRUTH],
  boolean: [...ORDERED, ...OF_TEXTS, ...OF_PARTS],
  array: [...ORDERED, ...OF_TEXTS, ...OF_TRUTH],
  object: [...ORDERED, ...OF_TEXTS, ...OF_PARTS, ...OF_TRUTH],
}

/** The operators that fit a type of JSON Schema, and the one that is chosen; all for null, an unknown type. */
export function operatorsFor(type: string | null, chosen: unknown): readonly Operator[] {
  const without = type !== null && Object.hasOwn(WITHOUT, type) ? (WITHOUT[type] ?? []) : []
  return OPERATORS.filter((operator) => operator === chosen || !without.includes(operator))
}

/** The type of a side that is one known token and nothing else, or a number or boolean itself; null: any. */
export function operandType(side: unknown, tokens: readonly KnownToken[]): string | null {
  if (typeof side === 'number' || typeof side === 'boolean') return typeof side
  const text = typeof side === 'string' ? side.trim() : ''
  if (!isWholeToken(text)) return null
  const path = text.slice(2, -2).trim()
  return tokens.find((token) => token.path === path)?.type ?? null
}

/**
 * The stored value of an entered side: for a number or boolean type that value if the text is one; else the text. undefined: it was
 * cleared.
 */
export function typedOperand(type: string | null, text: string): string | number | boolean | undefined {
  if (text === '') return undefined
  if (type === 'number' || type === 'integer') return literalOf('number', text) ?? text
  return type === 'boolean' ? (literalOf('boolean', text) ?? text) : text
}

function isOperand(value: unknown): boolean {
  return value === undefined || value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

const isWord = (value: unknown) => value === undefined || typeof value === 'string'
