import { expectTypeOf, test } from 'vitest'
import type { TableName } from '../src/tables/table-name.ts'

test('a table name is a name of the schema and no other text', () => {
  expectTypeOf<'agents' | 'workflow_runs' | 'knowledge_chunks'>().toExtend<TableName>()
  expectTypeOf<'agent'>().not.toExtend<TableName>()
  expectTypeOf<string>().not.toExtend<TableName>()
})
