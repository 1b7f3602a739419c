import type { TemplateField } from '@troupe/graph'
import { OneOf } from './fields.ts'
import { objectsIn } from './problems.ts'

/** Whether the value of a row is interpolated or used verbatim. */
export const RowMode = OneOf(
  { expression: 'Filled in', fixed: 'Used as they are' },
  { title: 'Tokens in the value', default: 'expression' },
)

/** The interpolated values of `rows`: those that are not fixed. */
export function rowTemplates({ rows }: Record<string, unknown>): TemplateField[] {
  return objectsIn(rows)
    .filter(([, row]) => row.mode !== 'fixed' && row.value !== undefined && row.value !== null)
    .map(([index, { value }]) => ({ path: `rows.${index}.value`, value }))
}
