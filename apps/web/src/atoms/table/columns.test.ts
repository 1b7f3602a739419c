import { expect, test } from 'vitest'
import { nextSort, sortDirection } from './columns.ts'

test('a press on a heading sorts ascending, the next one descending', () => {
  expect([nextSort('-updatedAt', 'name'), nextSort('name', 'name'), nextSort('-name', 'name')]).toEqual([
    'name',
    '-name',
    'name',
  ])
  expect([
    sortDirection('-name', 'name'),
    sortDirection('name', 'name'),
    sortDirection('name', 'other'),
  ]).toEqual(['descending', 'ascending', 'none'])
})
