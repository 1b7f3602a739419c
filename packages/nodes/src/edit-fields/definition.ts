import { Type } from 'typebox'
import { Literal, Switch, Value } from '../definition/fields.ts'
import { defineNode } from '../definition/node-definition.ts'
import { outputField } from '../definition/output-fields.ts'
import { objectsIn, repeated } from '../definition/problems.ts'
import { RowMode, rowTemplates } from '../definition/rows.ts'

/** The error of a node with "Keep only set fields" off; the builder shows the same message. */
export const KEEP_ONLY_SET_ERROR =
  '"Keep only set fields" must be on: this node outputs exactly the rows you set'

const FieldRow = Type.Object({
  name: Literal({ title: 'Field', minLength: 1, maxLength: 128 }),
  value: Value({ title: 'Value', form: { control: 'typed-value' } }),
  mode: RowMode,
})

/** Creates an object of exactly the defined rows. */
export const editFields = defineNode({
  type: 'edit-fields',
  role: 'pure',
  title: 'Edit Fields',
  summary: 'Outputs an object with exactly the fields that you set.',
  icon: 'table-properties',
  group: 'data',
  place: 2,
  schema: Type.Object({
    rows: Type.Array(FieldRow, { maxItems: 1_000, title: 'Fields', form: { control: 'list' } }),
    keepOnlySet: Switch({
      title: 'Keep only set fields',
      description: 'Must be on: the step outputs exactly the rows you set.',
      default: true,
      // Shown only when it must be switched on.
      form: { control: 'switch', when: { key: 'keepOnlySet', is: [false] } },
    }),
  }),
  handles: () => ['out'],
  outputsOf: ({ rows }) => objectsIn(rows).flatMap(([, { name }]) => outputField(name)),
  templates: rowTemplates,
  rules: ({ rows, keepOnlySet }) => [
    ...repeated(rows, 'name', 'rows', 'row'),
    ...(keepOnlySet === false
      ? [
          {
            severity: 'error',
            code: 'keep_only_set',
            path: 'keepOnlySet',
            message: KEEP_ONLY_SET_ERROR,
          } as const,
        ]
      : []),
  ],
})
