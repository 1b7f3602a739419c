import { expect, test } from 'vitest'
import { columnsAfter, distinctPlaces, formerPlaces, type PlaygroundLayout } from './columns-after.ts'

const before: PlaygroundLayout = {
  addressed: '',
  columns: [{ kind: 'draft' }, { kind: 'live' }, { kind: 'version', versionId: 'v3' }],
  hasDraft: true,
  undone: null,
  versionId: 'v4',
}
const saved = { name: 'Desk', description: null, config: { instructions: 'New' } }

test('a save makes the draft live, and keeps the previous live version in its own column', () => {
  expect(columnsAfter(before, { hasDraft: false, versionId: 'v5', saved })).toEqual([
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
  expect(columnsAfter(layout, { ...now, saved })).toBeNull()
})

test('a subject continues its conversation in any column, and another one starts a new one', () => {
  const version = (versionId: string) => ({ kind: 'version', versionId }) as const
  expect(
    formerPlaces([{ kind: 'live' }, version('v2')], [version('v3'), version('v2'), { kind: 'live' }]),
  ).toEqual([-1, 1, 0])
})

test('after an undone edit, only a version with equal content is a save of it', () => {
  const undone = { ...before, hasDraft: false, undone: saved }
  const now = { hasDraft: false, versionId: 'v5', saved }
  expect(columnsAfter(undone, now)?.[0]).toEqual({ kind: 'live' })
  expect(columnsAfter(undone, { ...now, saved: { ...saved, name: 'Of Eva' } })).toBeNull()
})

test('of two columns that have become equal, the one in the URL is kept', () => {
  const live = { kind: 'live' } as const
  const version = { kind: 'version', versionId: 'v2' } as const
  expect(distinctPlaces([null, live, version], [live, live, version])).toEqual([1, 2])
  expect(distinctPlaces([{ kind: 'draft' }, live], [live, live])).toEqual([1])
  expect(distinctPlaces([null, version], [live, version])).toEqual([0, 1])
})
