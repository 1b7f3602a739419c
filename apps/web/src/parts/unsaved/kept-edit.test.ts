import { changedContent } from '@troupe/editor/values/config-content'
import { expect, test } from 'vitest'
import {
  type ConfigEdit,
  contentOfEdit,
  editAfterSave,
  editOnTop,
  editWithChange,
  isKeptEdit,
  isSpent,
  newerSaved,
} from './kept-edit.ts'
import type { SavedContent } from './saved-content.ts'

const saved = (change: Partial<SavedContent>): SavedContent => ({
  name: 'Support',
  description: null,
  config: { instructions: 'First.', later: 1 },
  versionId: 'v2',
  versionNumber: 2,
  changedBy: { name: 'Eva' },
  updatedAt: '2026-11-22T18:00:00Z',
  usedBy: [],
  ...change,
})
const from = { name: 'Support', description: null, config: { instructions: 'First.', later: 1 } }
const kept = (edit: ConfigEdit | null) => edit ?? { edit: null, base: null }
const shownWith = (edit: ConfigEdit | null, on: SavedContent) =>
  editOnTop(kept(edit).edit, kept(edit).base, on).content

test('without an edit, the saved state is shown', () => {
  expect(editOnTop(null, null, saved({})).content).toEqual(from)
})

test('an edit of the newest version is shown unchanged, one of an older version merged with later saves', () => {
  const edit = { mine: { ...from, name: 'Desk' }, from }
  expect(editOnTop(edit, 'v2', saved({})).content).toEqual(edit.mine)
  const { content, conflicts } = editOnTop(edit, 'v1', saved({ description: 'Of Eva.' }))
  expect(conflicts).toEqual([])
  expect(content).toEqual({ ...edit.mine, description: 'Of Eva.' })
  expect(editOnTop(edit, 'v1', saved({ name: 'Hotline' })).conflicts.map(({ path }) => path)).toEqual([
    'name',
  ])
})

test('input during a save is an edit of the sent state', () => {
  const sent = { ...from, config: { instructions: 'Sent.', later: 1 } }
  const typed = { ...from, config: { instructions: 'Sent. And more.', later: 1 } }
  const answer = saved({ versionId: 'v3', config: sent.config, description: 'Of Eva.' })
  const { content, conflicts } = editOnTop({ mine: typed, from: sent }, 'v2', answer)
  expect(conflicts).toEqual([])
  expect(content).toEqual({ ...typed, description: 'Of Eva.' })
})

test('a save of an edit that was joined with a later version leaves nothing', () => {
  const edit = { mine: { ...from, name: 'Desk' }, from }
  const later = saved({ description: 'Of Eva.' })
  const sent = { ...edit.mine, description: 'Of Eva.' }
  const answer = saved({ ...sent, versionId: 'v3', versionNumber: 3 })
  expect(editAfterSave({ edit, base: 'v1', saved: later }, sent, later, answer)).toBeNull()
  const more = { mine: { ...from, name: 'Desk, and more' }, from }
  const rest = editAfterSave({ edit: more, base: 'v1', saved: later }, sent, later, answer)
  expect(shownWith(rest, answer)).toEqual({ ...sent, name: 'Desk, and more' })
})

test('a colleague’s save during a save is not reverted by it', () => {
  const newest = saved({ versionId: 'v3', versionNumber: 3, description: 'Of Eva.' })
  const sent = { ...from, name: 'Desk' }
  const typed = {
    mine: { ...sent, description: 'Of Eva.', config: { later: 2 } },
    from: { ...from, description: 'Of Eva.' },
  }
  const answer = saved({ ...sent, description: 'Of Eva.', versionId: 'v4', versionNumber: 4 })
  const rest = editAfterSave({ edit: typed, base: 'v3', saved: newest }, sent, saved({}), answer)
  expect(shownWith(rest, answer)).toEqual(typed.mine)
  const nothing = { ...typed, mine: { ...sent, description: 'Of Eva.' } }
  expect(editAfterSave({ edit: nothing, base: 'v3', saved: newest }, sent, saved({}), answer)).toBeNull()
})

test('an edit of a save’s response, or of a later save, does not revert the save', () => {
  const sent = { ...from, name: 'Desk' }
  const answer = saved({ ...sent, versionId: 'v3', versionNumber: 3 })
  const ofAnswer = { edit: { mine: { ...sent, config: { later: 2 } }, from: sent }, base: 'v3' }
  expect(editAfterSave({ ...ofAnswer, saved: answer }, sent, saved({}), answer)).toEqual(ofAnswer)
  const later = saved({ ...sent, versionId: 'v4', versionNumber: 4, description: 'Of Eva.' })
  const theirs = { ...sent, description: 'Of Eva.' }
  const ofLater = { edit: { mine: { ...theirs, config: { later: 2 } }, from: theirs }, base: 'v4' }
  expect(editAfterSave({ ...ofLater, saved: later }, sent, saved({}), answer)).toEqual(ofLater)
  expect(editAfterSave({ ...ofAnswer, saved: later }, sent, saved({}), answer)).toEqual(ofAnswer)
})

test('input before, during and after a save is kept', () => {
  const before = saved({})
  const first = editWithChange({ edit: null, base: null, saved: before }, 'name', 'Desk')
  const sent = shownWith(first, before)
  const during = editWithChange({ ...kept(first), saved: before }, 'config.later', 2)
  const answer = saved({ ...sent, versionId: 'v3', versionNumber: 3 })
  // The editor may receive the response before the page, or the page before the editor.
  for (const page of [before, answer]) {
    const settled = editAfterSave({ ...kept(during), saved: page }, sent, before, answer)
    const saved = newerSaved(page, answer)
    const after = editWithChange({ ...kept(settled), saved }, 'config.instructions', 'Second.')
    expect(shownWith(after, saved)).toEqual({ ...sent, config: { instructions: 'Second.', later: 2 } })
    expect(editOnTop(kept(after).edit, kept(after).base, saved).conflicts).toEqual([])
  }
  const nothing = editAfterSave({ ...kept(first), saved: before }, sent, before, answer)
  expect(nothing).toBeNull()
  const fresh = editWithChange(
    { edit: null, base: null, saved: newerSaved(before, answer) },
    'config.later',
    2,
  )
  expect(fresh).toEqual({
    edit: { mine: { ...sent, config: { ...sent.config, later: 2 } }, from: sent, ids: {} },
    base: 'v3',
  })
})

test('during a conflict, input is kept, and a colleague’s save is not mine', () => {
  const tool = { type: 'builtin', builtin: 'calculator' }
  const base = { ...from, config: { timeout: 10, tools: [] } }
  const mine = { edit: { mine: { ...base, name: 'Mine' }, from: base }, base: 'v1' }
  const theirs = saved({ name: 'Theirs', config: { timeout: 20, tools: [tool] } })
  const typedBack = editWithChange({ ...mine, saved: theirs }, 'config.timeout', 10)
  expect(shownWith(typedBack, theirs).config).toEqual({ timeout: 10, tools: [tool] })
  const removed = editWithChange({ ...kept(typedBack), saved: theirs }, 'config.tools.0', undefined)
  expect(shownWith(removed, theirs)).toEqual({ ...base, name: 'Mine' })
  expect(editOnTop(kept(removed).edit, kept(removed).base, theirs).conflicts.map(({ id }) => id)).toEqual([
    'name',
  ])
  // The other users revert their changes.
  const other = editWithChange({ ...mine, saved: theirs }, 'description', 'typed')
  const later = saved({ ...base, name: 'Theirs', versionId: 'v3', versionNumber: 3 })
  expect(shownWith(other, later)).toEqual({ ...base, name: 'Mine', description: 'typed' })
})

test('an edit of a list is merged with a save of similar rules, and with the next one', () => {
  const rule = (action: string, message = '') => ({ type: 'pii', action, message })
  const of = (...rules: object[]) => ({ ...from, config: { rules } })
  const [flag, block] = [rule('flag'), rule('block')]
  const before = saved({ ...of(flag, block), versionId: 'v1', versionNumber: 1 })
  const moved = editWithChange({ edit: null, base: null, saved: before }, 'config.rules', [block, flag])
  const mine = editWithChange({ ...kept(moved), saved: before }, 'config.rules.0.message', 'No.')
  const theirs = saved(of(flag, block, { type: 'regex', pattern: 'a' }))
  expect(editOnTop(kept(mine).edit, 'v1', theirs).conflicts).toEqual([])
  const later = editWithChange({ ...kept(mine), saved: theirs }, 'config.rules.2.message', 'Never.')
  expect(shownWith(later, theirs)).toEqual(
    of(rule('block', 'No.'), { type: 'regex', pattern: 'a' }, rule('flag', 'Never.')),
  )
  expect(later?.edit.ids).toEqual({ 'config.rules': ['1', '2', '0'] })
})

test('an edit that a page of an earlier build has changed is joined by the values of its rules', () => {
  const rule = (message: string) => ({ type: 'pii', message })
  const of = (...messages: string[]) => ({ ...from, config: { rules: messages.map(rule) } })
  const before = saved({ ...of('a', 'b', 'c'), versionId: 'v1', versionNumber: 1 })
  const typed = editWithChange({ edit: null, base: null, saved: before }, 'name', 'Desk')
  // That page knows an edited content and its base, and no ids.
  const { mine = of(), from: base = of() } = typed?.edit ?? {}
  const earlier = { mine: changedContent(mine, 'config.rules.0', undefined), from: base }
  const { content, conflicts } = editOnTop(earlier, 'v1', saved(of('a', 'b', 'changed')))
  expect(conflicts).toEqual([])
  expect(content).toEqual({ ...of('b', 'changed'), name: 'Desk' })
})

test('input into an item replaced by a colleague stays in mine, and the conflict with it', () => {
  const model = (change: object) => ({ llm_config_id: 'c1', model_id: 'a', temperature: 1, ...change })
  const of = (fallback: object) => ({ ...from, config: { fallbacks: [fallback] } })
  const mine = { edit: { mine: of(model({ temperature: 2 })), from: of(model({})) }, base: 'v1' }
  const theirs = saved(of(model({ model_id: 'd' })))
  // Two writes of one gesture: another connection has other models.
  const first = editWithChange({ ...mine, saved: theirs }, 'config.fallbacks.0.llm_config_id', 'c2')
  const then = editWithChange({ ...kept(first), saved: theirs }, 'config.fallbacks.0.model_id', null)
  expect(shownWith(then, theirs)).toEqual(of({ llm_config_id: 'c2', model_id: null, temperature: 2 }))
  expect(editOnTop(kept(then).edit, kept(then).base, theirs).conflicts).toMatchObject([{ kind: 'item' }])
})

test('the newest known version is the saved state', () => {
  const newer = saved({ versionId: 'v3', versionNumber: 3 })
  expect(newerSaved(saved({}), newer)).toBe(newer)
  expect(newerSaved(newer, saved({}))).toBe(newer)
  expect(newerSaved(newer, null)).toBe(newer)
})

test('a tab that is behind keeps the edit of another tab', () => {
  const newer = { ...from, name: 'Desk' }
  const back = { edit: { mine: from, from: newer }, base: 'v3' }
  expect(isSpent(back, saved({}), 'elsewhere', true)).toBe(false)
  expect(isSpent(back, saved({}), 'storage', false)).toBe(false)
  const same = { edit: { mine: newer, from }, base: 'v1' }
  expect(isSpent(same, saved({ name: 'Desk' }), 'elsewhere', true)).toBe(false)
})

test('an edit equal to the saved state is dropped, including one of an earlier visit', () => {
  expect(isSpent({ edit: { mine: from, from }, base: 'v2' }, saved({}), 'elsewhere', false)).toBe(true)
  const same = { edit: { mine: { ...from, name: 'Desk' }, from }, base: 'v1' }
  expect(isSpent(same, saved({ name: 'Desk' }), 'here', false)).toBe(true)
  expect(isSpent(same, saved({ name: 'Desk' }), 'storage', false)).toBe(false)
  expect(isSpent(same, saved({ name: 'Desk' }), 'storage', true)).toBe(true)
  expect(isSpent(same, saved({ name: 'Hotline' }), 'storage', true)).toBe(false)
})

test('data of another build in the browser is recognized', () => {
  expect(isKeptEdit({ mine: from, from })).toBe(true)
  const known = { 'config.tools': ['1', 'new'] }
  expect(contentOfEdit({ mine: from, from, ids: known })).toEqual({ ...from, ids: known })
  for (const ids of [null, [], { 'config.tools': '0' }, { 'config.tools': [0] }]) {
    const edit = { mine: from, from, ids }
    expect(isKeptEdit(edit) && contentOfEdit(edit)).toEqual(from)
  }
  for (const other of [null, {}, { mine: from }, { mine: from, from: { ...from, config: [] } }]) {
    expect(isKeptEdit(other)).toBe(false)
  }
})
