import { schemaExcess } from '@troupe/contract'
import type { ConfigProblem } from '@troupe/graph'
import { Errors } from 'typebox/schema'
import { compilePattern, patternFault } from '../conditions/linear-pattern.ts'
import { MatchBudget, PatternTooCostly } from '../conditions/match-budget.ts'
import { isObject } from './fill-defaults.ts'
import { blockingProblem } from './problems.ts'
import { budgeted, SchemaTooCostly } from './schema-budget.ts'

const MAX_DEPTH = 64
const MAX_FAULTS = 5
/** Keywords whose value is data, not a schema. */
const DATA = new Set(['const', 'enum', 'default', 'examples'])

/** A native regular expression by its type only: patterns from a schema must not block the event loop. */
class LinearPattern extends RegExp {
  readonly #source: string
  readonly #find: (text: string) => boolean

  constructor(source: string, budget: MatchBudget) {
    super('')
    this.#source = source
    const compiled = compilePattern(source)
    this.#find = compiled.ok ? (text) => compiled.find(text, budget) : () => false
  }

  override test(text: string): boolean {
    return this.#find(text)
  }

  /** The part that messages show. */
  override toString(): string {
    return this.#source
  }
}

function keywordProblem(key: string, value: unknown): string | null {
  if (key === 'pattern' && typeof value === 'string') {
    return patternFault(value)
  }
  if (key === 'patternProperties' && isObject(value)) return 'is not supported'
  if (key === '$ref' && typeof value === 'string' && !value.startsWith('#')) {
    return 'must point inside the schema, beginning with #'
  }
  return null
}

function collect(schema: unknown, path: string, depth: number, found: ConfigProblem[]): void {
  if (typeof schema !== 'object' || schema === null) return
  if (depth > MAX_DEPTH) {
    found.push(blockingProblem('outputSchema', `must be nested at most ${MAX_DEPTH} levels deep`))
    return
  }
  for (const [key, value] of Object.entries(schema)) {
    if (DATA.has(key)) continue
    const problem = keywordProblem(key, value)
    if (problem !== null) found.push(blockingProblem(`${path}.${key}`, problem))
    collect(value, `${path}.${key}`, depth + 1, found)
  }
}

/** Problems that make the JSON Schema of a config unusable. */
export function outputSchemaProblems({ outputSchema }: Record<string, unknown>): ConfigProblem[] {
  const found: ConfigProblem[] = []
  collect(outputSchema, 'outputSchema', 0, found)
  const excess = found.length === 0 && isObject(outputSchema) ? schemaExcess(outputSchema) : null
  if (excess !== null) found.push(blockingProblem('outputSchema', excess))
  return [...new Map(found.map((problem) => [problem.path, problem])).values()]
}

function withLinearPatterns(schema: unknown, budget: MatchBudget): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((inner) => withLinearPatterns(inner, budget))
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (DATA.has(key)) return [key, value]
    return [
      key,
      key === 'pattern' && typeof value === 'string'
        ? new LinearPattern(value, budget)
        : withLinearPatterns(value, budget),
    ]
  })
  return Object.fromEntries(entries)
}

/**
 * Why a value does not match a JSON Schema that `outputSchemaProblems` accepts, at most five sentences; empty when it
 * does. The schema is interpreted, never compiled to code.
 */
export function schemaFaults(schema: Record<string, unknown>, value: unknown): string[] {
  try {
    const readable = withLinearPatterns(schema, new MatchBudget()) as Record<string, unknown>
    const [isValid, errors] = Errors(budgeted(readable, value), value)
    if (isValid) return []
    const faults = errors.map(({ instancePath, message }) =>
      `${instancePath.slice(1).replaceAll('/', '.')} ${message}`.trim(),
    )
    return [...new Set(faults)].slice(0, MAX_FAULTS)
  } catch (error) {
    if (error instanceof SchemaTooCostly) return [error.message]
    if (error instanceof PatternTooCostly) return [`a pattern of the schema ${error.message}`]
    return ['the schema cannot be followed to an end']
  }
}
