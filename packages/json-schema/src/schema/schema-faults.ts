import {
  type FieldError,
  fieldPath,
  isJsonObject,
  MAX_FIELD_ERRORS,
  schemaExcess,
  shortened,
} from '@troupe/contract'
import { Errors } from 'typebox/schema'
import { type CompiledPattern, compilePattern, patternFault } from '../patterns/linear-pattern.ts'
import { MatchBudget, PatternTooCostly } from '../patterns/match-budget.ts'
import { isDeepEqual } from './deep-equal.ts'
import { budgeted, SchemaTooCostly } from './schema-budget.ts'

const MAX_DEPTH = 64
const MAX_FAULTS = 5
const MAX_FAULT_LENGTH = 500
/** Every schema that a reference is looked up in reads the reference once. */
const MAX_REFERENCE = 1_000
/** Keywords whose value is data, not a schema. */
const DATA = new Set(['const', 'enum', 'default', 'examples'])
/** Keywords whose value has a schema for each name; names may equal keywords. */
const BY_NAME = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
/** Keywords that the schema library reads as native regular expressions. */
const NATIVE = new Set(['pattern', 'patternProperties'])

/** A native regular expression by its type only: patterns from a schema must not block the event loop. */
class LinearPattern extends RegExp {
  readonly #source: string
  readonly #budget: MatchBudget
  #compiled: CompiledPattern | null = null

  constructor(source: string, budget: MatchBudget) {
    super('')
    this.#source = source
    this.#budget = budget
  }

  /** Compiles the pattern when it is first needed: a schema may have thousands. */
  override test(text: string): boolean {
    this.#compiled ??= compilePattern(this.#source, this.#budget)
    return this.#compiled.ok && this.#compiled.find(text, this.#budget)
  }

  /** The pattern as shown in messages. */
  override toString(): string {
    return this.#source
  }
}

function keywordProblem(key: string, value: unknown): string | null {
  if (key === 'pattern' && typeof value === 'string') {
    return patternFault(value)
  }
  if (key === 'patternProperties' && isJsonObject(value)) return 'is not supported'
  if (key === '$ref' && typeof value === 'string') {
    if (!value.startsWith('#')) return 'must point inside the schema, beginning with #'
    if (value.length > MAX_REFERENCE) return `must have at most ${MAX_REFERENCE} characters`
  }
  return null
}

/** The state of a search for problems in a schema. */
interface Search {
  root: string
  found: FieldError[]
}

/** @param isByName the keys of `schema` are names, not keywords */
function collect(schema: unknown, path: string, depth: number, search: Search, isByName = false): void {
  if (typeof schema !== 'object' || schema === null) return
  const { root, found } = search
  if (depth > MAX_DEPTH) {
    found.push({ path: root, message: `must be nested at most ${MAX_DEPTH} levels deep` })
    return
  }
  for (const [key, value] of Object.entries(schema)) {
    if (found.length >= MAX_FIELD_ERRORS) return
    if (!isByName && DATA.has(key)) continue
    const place = fieldPath(path, key)
    const problem = isByName ? null : keywordProblem(key, value)
    if (problem !== null) found.push({ path: place, message: problem })
    collect(value, place, depth + 1, search, !isByName && BY_NAME.has(key))
  }
}

/** Why a JSON Schema cannot be used, with paths below `path`; empty when it can. Each path is listed once. */
export function schemaProblems(schema: unknown, path: string): FieldError[] {
  const found: FieldError[] = []
  collect(schema, path, 0, { root: path, found })
  const excess = found.length === 0 && isJsonObject(schema) ? schemaExcess(schema) : null
  if (excess !== null) found.push({ path, message: excess })
  return [...new Map(found.map((problem) => [problem.path, problem])).values()]
}

function hasNative(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false
  return Object.entries(data).some(([key, inner]) => NATIVE.has(key) || hasNative(inner))
}

/** `const` or `enum` as a function. As data, a `pattern` in it would become a native one for a reference that points there. */
function equalTo(allowed: readonly unknown[]) {
  const check = (value: unknown) => allowed.some((one) => isDeepEqual(value, one))
  return [{ check, error: () => 'must be equal to one of the allowed values' }]
}

/**
 * A copy of a schema without native regular expressions. They are replaced everywhere, including in data and under unknown keywords, because a
 * reference can make a schema of every object.
 */
function withLinearPatterns(schema: unknown, budget: MatchBudget, isByName = false): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((inner) => withLinearPatterns(inner, budget))
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'pattern' && typeof value === 'string') return [[key, new LinearPattern(value, budget)]]
    if (key === 'patternProperties' && !isByName) return []
    if (!isByName && (key === 'const' || key === 'enum') && hasNative(value)) {
      return [['~refine', equalTo(key === 'enum' && Array.isArray(value) ? value : [value])]]
    }
    return [[key, withLinearPatterns(value, budget, !isByName && BY_NAME.has(key))]]
  })
  return Object.fromEntries(entries)
}

type SchemaError = ReturnType<typeof Errors>[1][number]

/** Converts an error of the schema library into messages for people and models, each with its path. */
function sentencesOf(error: SchemaError): [path: string, message: string][] {
  const path = error.instancePath.slice(1)
  const each = (keys: readonly string[], message: string) =>
    keys.map((key): [string, string] => [path === '' ? key : `${path}/${key}`, message])
  switch (error.keyword) {
    case 'required':
      return each(error.params.requiredProperties, 'is required')
    case 'additionalProperties':
      return each(error.params.additionalProperties, 'is not allowed')
    case 'boolean':
      return [[path, 'is not allowed']]
    case 'const':
      return [[path, `must be ${JSON.stringify(error.params.allowedValue)}`]]
    case 'enum':
      return [
        [path, `must be one of: ${error.params.allowedValues.map((one) => JSON.stringify(one)).join(', ')}`],
      ]
    default:
      return [[path, error.message]]
  }
}

/**
 * Why a value does not match a JSON Schema that {@link schemaProblems} accepts, at most five sentences; empty when it
 * does. The schema is interpreted, never compiled to code.
 */
export function schemaFaults(schema: Record<string, unknown>, value: unknown): string[] {
  try {
    const readable = withLinearPatterns(schema, new MatchBudget()) as Record<string, unknown>
    const [isValid, errors] = Errors(budgeted(readable, value), value)
    if (isValid) return []
    const faults = errors.flatMap((error) =>
      sentencesOf(error).map(([path, message]) =>
        shortened(`${shortened(path).replaceAll('/', '.')} ${message}`.trim(), MAX_FAULT_LENGTH),
      ),
    )
    return [...new Set(faults)].slice(0, MAX_FAULTS)
  } catch (error) {
    if (error instanceof SchemaTooCostly) return [error.message]
    if (error instanceof PatternTooCostly) return [`a pattern of the schema ${error.message}`]
    return ['the schema cannot be followed to an end']
  }
}
