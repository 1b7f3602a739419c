import { NodeFailure } from '@troupe/workflows/ports'
import { pureHandler } from '../execution/handler.ts'
import { rowValue } from '../execution/row-value.ts'
import { editFields, KEEP_ONLY_SET_ERROR } from './definition.ts'

/** Outputs an object of exactly the rows; the first row that cannot be resolved fails the node. */
export const executeEditFields = pureHandler(editFields, ({ rows, keepOnlySet }, { scope }) => {
  if (!keepOnlySet) throw new NodeFailure(KEEP_ONLY_SET_ERROR)
  const output = Object.fromEntries(rows.map((row) => [row.name, rowValue(row, scope)]))
  return { status: 'completed', output }
})
