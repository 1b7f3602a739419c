import { expect, test } from 'vitest'
import { broughtBack } from './brought-back.ts'
import { editOnTop } from './kept-edit.ts'
import type { SavedContent } from './saved-content.ts'

const from = { name: 'Support', description: null, config: { instructions: 'First.', later: 1 } }
const saved: SavedContent = {
  ...from,
  description: 'Of Eva.',
  versionId: 'v2',
  versionNumber: 2,
  changedBy: { name: 'Eva' },
  updatedAt: '2026-11-22T18:00:00Z',
  usedBy: [],
}
const given = { edit: { mine: { ...from, name: 'Desk', description: 'Of Ana.' }, from }, base: 'v1' }

test('an edit that was given up comes back as it was, with its conflict', () => {
  const back = broughtBack(given, { edit: null, base: null, saved })
  expect(back).toEqual(given)
  const { content, conflicts } = editOnTop(back.edit, back.base, saved)
  expect(content).toMatchObject({ name: 'Desk', description: 'Of Ana.' })
  expect(conflicts.map(({ path }) => path)).toEqual(['description'])
})

test('input after an edit was discarded is kept, and is the newer one of the same setting', () => {
  const { versionId, ...content } = saved
  const base = { name: content.name, description: content.description, config: content.config }
  const mine = { ...base, name: 'Hotline', config: { ...base.config, later: 2 } }
  const back = broughtBack(given, { edit: { mine, from: base }, base: versionId, saved })
  expect(back.base).toBe('v1')
  expect(back.edit.from).toEqual(from)
  expect(back.edit.mine).toEqual({ ...mine, description: 'Of Ana.' })
})
