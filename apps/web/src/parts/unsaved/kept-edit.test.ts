import { expect, test } from 'vitest'
import { editOnTop, isKeptEdit } from './kept-edit.ts'
import type { SavedContent } from './saved-content.ts'

const saved = (change: Partial<SavedContent>): SavedContent => ({
  name: 'Support',
  description: null,
  config: { instructions: 'First.', later: 1 },
  versionId: 'v2',
  versionNumber: 2,
  changedBy: { kind: 'user', id: 'eva', name: 'Eva' },
  updatedAt: '2026-11-22T18:00:00Z',
  usedBy: [],
  ...change,
})
const from = { name: 'Support', description: null, config: { instructions: 'First.', later: 1 } }

test('without an edit, what is saved is shown', () => {
  expect(editOnTop(null, null, saved({})).content).toEqual(from)
})

test('an edit of the newest version is shown as it is, one of an older version with what was saved since', () => {
  const edit = { mine: { ...from, name: 'Desk' }, from }
  expect(editOnTop(edit, 'v2', saved({})).content).toBe(edit.mine)
  const { content, conflicts } = editOnTop(edit, 'v1', saved({ description: 'Of Eva.' }))
  expect(conflicts).toEqual([])
  expect(content).toEqual({ ...edit.mine, description: 'Of Eva.' })
  expect(editOnTop(edit, 'v1', saved({ name: 'Hotline' })).conflicts.map(({ path }) => path)).toEqual([
    'name',
  ])
})

test('what was typed while a save was under way stays an edit of what was sent', () => {
  const sent = { ...from, config: { instructions: 'Sent.', later: 1 } }
  const typed = { ...from, config: { instructions: 'Sent. And more.', later: 1 } }
  const answer = saved({ versionId: 'v3', config: sent.config, description: 'Of Eva.' })
  const { content, conflicts } = editOnTop({ mine: typed, from: sent }, 'v2', answer)
  expect(conflicts).toEqual([])
  expect(content).toEqual({ ...typed, description: 'Of Eva.' })
})

test('what another build has left in the browser is recognized', () => {
  expect(isKeptEdit({ mine: from, from })).toBe(true)
  for (const other of [null, {}, { mine: from }, { mine: from, from: { ...from, config: [] } }]) {
    expect(isKeptEdit(other)).toBe(false)
  }
})
