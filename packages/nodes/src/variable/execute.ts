import type { InterpolationScope } from '@troupe/graph'
import { jsonType } from '@troupe/json-schema'
import { NodeFailure } from '@troupe/workflows/ports'
import type { Static } from 'typebox'
import { pureHandler } from '../execution/handler.ts'
import { rowValue } from '../execution/row-value.ts'
import { variable } from './definition.ts'

type Row = Static<typeof variable.schema>['rows'][number]

function added(row: Row, current: unknown, value: unknown): number {
  // A value that resolves to null is not used as the increment.
  const step = (row.value ?? null) === null ? 1 : value
  const failure = (problem: string) => new NodeFailure(`row "${row.name}": ${problem}`)
  if (typeof step !== 'number') throw failure(`increment needs a number, got ${jsonType(step)}`)
  if (typeof current !== 'number') {
    throw failure(`increment needs a variable that is a number, but it is ${jsonType(current)}`)
  }
  const sum = current + step
  const isInexact = Number.isInteger(current) && Number.isInteger(step) && !Number.isSafeInteger(sum)
  if (isInexact || !Number.isFinite(sum)) throw failure('the number is too large')
  return sum
}

function newValue(row: Row, scope: InterpolationScope): unknown {
  const { variables } = scope
  const value = rowValue({ name: row.name, value: row.value ?? null, mode: row.mode }, scope)
  switch (row.op) {
    case 'set':
      return value
    case 'append': {
      const list = variables.has(row.name) ? variables.get(row.name) : []
      if (Array.isArray(list)) return [...list, value]
      const problem = `append needs a variable that is a list, but it is ${jsonType(list)}`
      throw new NodeFailure(`row "${row.name}": ${problem}`)
    }
    case 'increment':
      return added(row, variables.has(row.name) ? variables.get(row.name) : 0, value)
    default:
      return row.op satisfies never
  }
}

/** Writes the rows in order: a later row sees the values of earlier ones. */
export const executeVariable = pureHandler(variable, ({ rows }, { scope }) => {
  const variables = new Map(scope.variables)
  const written = new Map<string, unknown>()
  for (const row of rows) {
    const value = newValue(row, { ...scope, variables })
    variables.set(row.name, value)
    written.set(row.name, value)
  }
  const output = Object.fromEntries(written)
  return { status: 'completed', output, variables: output }
})
