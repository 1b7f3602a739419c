import { expect, test } from 'vitest'
import { columnsAfter, formerPlaces, type PlaygroundLayout } from './columns-after.ts'

const before: PlaygroundLayout = {
  addressed: '',
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

test.each([
  ['the edit is undone', before, { hasDraft: false, versionId: 'v4' }],
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

test('a subject goes on with its conversation wherever it stands, and another one begins anew', () => {
  const version = (versionId: string) => ({ kind: 'version', versionId }) as const
  expect(
    formerPlaces([{ kind: 'live' }, version('v2')], [version('v3'), version('v2'), { kind: 'live' }]),
  ).toEqual([-1, 1, 0])
})
