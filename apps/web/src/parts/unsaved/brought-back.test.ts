import { expect, test } from 'vitest'
import { broughtBack, configEditSince, mergedEdits, takenBack } from './brought-back.ts'
import { type ConfigEdit, editOnTop, editWithChange } from './kept-edit.ts'
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

test('a discarded edit is restored unchanged, with its conflict', () => {
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

test("a colleague's changes are removed again, and input since they were added is kept", () => {
  const content = { name: saved.name, description: saved.description, config: saved.config }
  const own = { edit: { mine: { ...content, name: 'Own' }, from: content }, base: saved.versionId }
  const theirs = {
    edit: { mine: { ...content, description: 'Of Ben.' }, from: content },
    base: saved.versionId,
  }
  const taken = broughtBack(theirs, { ...own, saved })
  expect(taken.edit.mine).toMatchObject({ name: 'Own', description: 'Of Ben.' })
  expect(takenBack(taken, own, { ...taken, saved })).toEqual({ edit: own, newer: 0, isChanged: true })
  const typed = { ...taken.edit.mine, config: { ...content.config, later: 2 } }
  const since = { edit: { mine: typed, from: content }, base: saved.versionId, saved }
  expect(takenBack(taken, own, since).edit?.edit.mine).toEqual({ ...own.edit.mine, config: typed.config })
  expect(takenBack(theirs, null, { ...theirs, saved }).edit).toBeNull()
  const alone = { ...theirs, edit: { mine: { ...theirs.edit.mine, name: 'Typed' }, from: content }, saved }
  expect(takenBack(theirs, null, alone).edit?.edit.mine).toEqual({ ...content, name: 'Typed' })
})

test('an added setting with newer input keeps it, and is counted; one that has been saved since stays saved', () => {
  const content = { name: saved.name, description: saved.description, config: saved.config }
  const added = { ...content, name: 'By Ben', description: 'Of Ben.' }
  const theirs = { edit: { mine: added, from: content }, base: saved.versionId }
  const typed = { edit: { mine: { ...added, name: 'Typed' }, from: content }, base: saved.versionId, saved }
  expect(takenBack(theirs, null, typed)).toEqual({
    edit: { edit: { mine: { ...content, name: 'Typed' }, from: content }, base: saved.versionId },
    newer: 1,
    isChanged: true,
  })
  const later = { ...saved, ...added, versionId: 'v3', versionNumber: 3 }
  expect(takenBack(theirs, null, { edit: null, base: null, saved: later })).toEqual({
    edit: null,
    newer: 0,
    isChanged: false,
  })
})

test('a rule whose write had a lost answer is one rule, with later input of another device', () => {
  const content = { name: saved.name, description: saved.description, config: saved.config }
  const edit = (rule: object) => ({
    edit: {
      mine: { ...content, config: { rules: [{ type: 'pii', ...rule }] } },
      from: content,
      ids: { 'config.rules': ['new'] },
    },
    base: saved.versionId,
  })
  const sides = { local: edit({ message: 'Here.' }), former: null, remote: edit({ action: 'block' }) }
  expect(mergedEdits(sides, saved)).toEqual(edit({ message: 'Here.', action: 'block' }))
})

const RULES = [1, 2, 3].map((nr) => ({ type: 'pii', nr }))
const version = (versionNumber: number, rules: object[]): SavedContent => ({
  ...{ ...saved, versionId: `v${versionNumber}`, versionNumber },
  ...{ description: `Of version ${versionNumber}.`, config: { rules } },
})
function typed(before: ConfigEdit | null, saved: SavedContent, path: string, value: unknown): ConfigEdit {
  const { edit, base } = before ?? { edit: null, base: null }
  const next = editWithChange({ edit, base, saved }, path, value)
  if (next === null) throw new Error('Nothing was typed')
  return next
}

test('input in similar rules stays on both devices, whichever has read the save of a colleague', () => {
  const [first, second] = [version(1, RULES), version(2, RULES)]
  const former = typed(null, first, 'name', 'Desk')
  const older = typed(former, first, 'config.rules.1.message', 'Older.')
  const newer = typed(
    typed(former, second, 'config.rules.1.action', 'block'),
    second,
    'config.rules.2.action',
    'x',
  )
  for (const [local, remote] of [
    [older, newer],
    [newer, older],
  ] as const) {
    const { edit, base } = mergedEdits({ local, former, remote }, second)
    const [one, two, three] = RULES
    expect(editOnTop(edit, base, second)).toMatchObject({
      content: {
        name: 'Desk',
        description: 'Of version 2.',
        config: { rules: [one, { ...two, message: 'Older.', action: 'block' }, { ...three, action: 'x' }] },
      },
      conflicts: [],
    })
  }
})

test('a rule that is edited after its addition was discarded elsewhere stays, and gets no change of another rule', () => {
  const [first, second] = [
    version(1, RULES),
    version(2, [{ ...RULES[0], action: 'block' }, ...RULES.slice(1)]),
  ]
  const added = { type: 'pii', nr: 4 }
  const former = typed(null, first, 'config.rules', [added, ...RULES])
  const local = typed(former, first, 'config.rules.0.message', 'Typed.')
  const left = configEditSince(local, former, first)
  expect(left).toEqual(local)
  const { content, conflicts } = editOnTop(left?.edit ?? null, left?.base ?? null, second)
  expect(content.config.rules).toEqual([
    { ...added, message: 'Typed.' },
    ...(second.config.rules as object[]),
  ])
  expect(conflicts).toEqual([])
})
