import { type ConfigProblem, isWholeToken, type TemplateField } from '@troupe/graph'
import { Type } from 'typebox'
import { Literal, OneOf, Value } from '../definition/fields.ts'
import type { Variants } from '../definition/form-hint.ts'
import { defineNode } from '../definition/node-definition.ts'
import { outputField } from '../definition/output-fields.ts'
import { blockingProblem, objectsIn } from '../definition/problems.ts'
import { RowMode, rowTemplates } from '../definition/rows.ts'

/** In the builder's form: the added value is a number. */
const VARIANTS: Variants = {
  key: 'op',
  schemas: {
    increment: Type.Object({
      value: Type.Optional(
        Value({
          title: 'Value',
          description: 'A number, or a token such as {{ trigger.amount }}. Empty: 1.',
          form: { control: 'number-or-token' },
        }),
      ),
    }),
  },
}

const VariableRow = Type.Object(
  {
    name: Literal({
      title: 'Variable',
      pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$',
      patternMessage: 'must have 1 to 64 letters, digits, _ or -, beginning with a letter or _',
    }),
    op: OneOf(
      { set: 'Set to the value', append: 'Append the value to the list', increment: 'Add the number' },
      { title: 'Operation', default: 'set' },
    ),
    value: Type.Optional(Value({ title: 'Value', form: { control: 'typed-value' } })),
    mode: RowMode,
  },
  { variants: VARIANTS },
)

function rowProblems([index, { op, value, mode }]: [number, Record<string, unknown>]): ConfigProblem[] {
  const path = `rows.${index}.value`
  if (op !== 'increment') return value === undefined ? [blockingProblem(path, 'is required')] : []
  if (value === undefined || value === null || typeof value === 'number') return []
  const isToken = mode !== 'fixed' && typeof value === 'string' && isWholeToken(value)
  return isToken ? [] : [blockingProblem(path, 'must be a number, or a single token that resolves to one')]
}

/** Sets variables of the run, which every later node sees. */
export const variable = defineNode({
  type: 'variable',
  role: 'pure',
  title: 'Variable',
  summary: 'Sets, appends to or increments variables that later steps can read.',
  icon: 'variable',
  group: 'data',
  place: 1,
  schema: Type.Object({
    rows: Type.Array(VariableRow, {
      title: 'Variables',
      minItems: 1,
      maxItems: 100,
      form: { control: 'list' },
    }),
  }),
  handles: () => ['out'],
  outputsOf: ({ rows }) => objectsIn(rows).flatMap(([, { name }]) => outputField(name)),
  templates: (config): TemplateField[] => rowTemplates(config),
  writes: ({ rows }) => [
    ...new Set(objectsIn(rows).flatMap(([, { name }]) => (typeof name === 'string' ? [name] : []))),
  ],
  rules: ({ rows }) => objectsIn(rows).flatMap(rowProblems),
})
