import { expect, test } from 'vitest'
import { columnsAfter, type PlaygroundLayout } from './columns-after.ts'

const before: PlaygroundLayout = {
  columns: [{ kind: 'draft' }, { kind: 'live' }, { kind: 'version', versionId: 'v3' }],
  hasDraft: true,
  versionId: 'v4',
}

test('a save makes the draft live, and what was live a version, each in its column', () => {
  expect(columnsAfter(before, { hasDraft: false, versionId: 'v5' })).toEqual([
    { kind: 'live' },
    { kind: 'version', versionId: 'v4' },
    { kind: 'version', versionId: 'v3' },
  ])
})

test('an edit that is given up takes its column along where what is live has one', () => {
  expect(columnsAfter(before, { hasDraft: false, versionId: 'v4' })).toEqual([
    null,
    { kind: 'live' },
    { kind: 'version', versionId: 'v3' },
  ])
})

test('the only column of an edit that is given up goes on with what is live', () => {
  expect(
    columnsAfter({ ...before, columns: [{ kind: 'draft' }] }, { hasDraft: false, versionId: 'v4' }),
  ).toEqual([{ kind: 'live' }])
})

test.each([
  ['an edit goes on', before, { hasDraft: true, versionId: 'v5' }],
  ['a colleague saved', { ...before, hasDraft: false }, { hasDraft: false, versionId: 'v5' }],
  [
    'no column has the edit',
    { ...before, columns: [{ kind: 'live' }] satisfies PlaygroundLayout['columns'] },
    { hasDraft: false, versionId: 'v5' },
  ],
])('columns stay when %s', (_, layout, now) => {
  expect(columnsAfter(layout, now)).toBeNull()
})
