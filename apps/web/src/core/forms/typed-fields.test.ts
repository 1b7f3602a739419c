import { expect, test } from 'vitest'
import {
  changedEdit,
  editSince,
  fieldsOnTop,
  isTypedEdit,
  mergedTypedEdits,
  pick,
  typedDifferences,
  typedEditSince,
} from './typed-fields.ts'

const FROM = { name: 'Shop', rpm: 10, days: 7 }

test.for([
  ['nobody saved since', FROM, { name: 'Mine', rpm: 10, days: 7 }, ['name'], []],
  [
    'somebody changed another field',
    { ...FROM, days: 30 },
    { name: 'Mine', rpm: 10, days: 30 },
    ['name'],
    [],
  ],
  [
    'somebody changed the same field',
    { ...FROM, name: 'Theirs' },
    { name: 'Mine', rpm: 10, days: 7 },
    ['name'],
    ['name'],
  ],
  ['somebody saved the same', { ...FROM, name: 'Mine' }, { name: 'Mine', rpm: 10, days: 7 }, [], []],
] as const)('an edit is kept on top of the saved state: %s', ([_, saved, fields, changed, contested]) => {
  const edit = { from: FROM, mine: { ...FROM, name: 'Mine' } }
  expect(fieldsOnTop(edit, saved)).toEqual({ fields, changed, contested })
})

test('without an edit the form follows the saved state', () => {
  expect(fieldsOnTop(null, FROM)).toEqual({ fields: FROM, changed: [], contested: [] })
})

test('only the named fields are sent', () => {
  expect(pick(FROM, ['rpm'])).toEqual({ rpm: 10 })
})

test.for([
  ['the same fields', { name: 'a', rpm: 1, days: 2 }, true],
  ['an empty number', { name: 'a', rpm: null, days: 2 }, true],
  ['a field of an older build', { name: 'a', rpm: 1, days: 2, slug: 'a' }, false],
  ['a missing field', { name: 'a', rpm: 1 }, false],
  ['a field of another kind', { name: 1, rpm: 1, days: 2 }, false],
] as const)('input kept by the browser is used if it has %s: %o', ([_, mine, fits]) => {
  expect(isTypedEdit({ from: FROM, mine }, FROM)).toBe(fits)
})

test('an untouched field follows a colleague through every further change of another one', () => {
  const first = changedEdit(null, FROM, { name: 'M' })
  const later = { ...FROM, rpm: 200 }
  const second = changedEdit(first, later, { name: 'Mine' })
  const latest = { ...FROM, rpm: 300 }
  expect(fieldsOnTop(second, latest)).toEqual({
    fields: { ...latest, name: 'Mine' },
    changed: ['name'],
    contested: [],
  })
})

test('typing while a form is saved is an edit of the sent state, and reverts nothing of a colleague', () => {
  const sent = { name: 'Mine', limit: 9 }
  // The edit started before the colleague changed the limit; the name is edited further after it was sent.
  const then = { name: 'Mine', limit: 5 }
  expect(editSince(sent, then, { ...then, name: 'Mine and more' })).toEqual({
    from: sent,
    mine: { name: 'Mine and more', limit: 9 },
  })
})

test('a conflict shows the changed fields beside the saved ones', () => {
  const saved = { name: 'Theirs', rpm: 60 }
  expect(typedDifferences({ name: 'Mine' }, saved, { name: 'Name', rpm: 'Requests' })).toEqual([
    { path: 'name', label: 'Name', before: 'Theirs', after: 'Mine' },
  ])
})

test('two edits of one person are one: a field that was typed here is kept, and others are those of the other device', () => {
  const [desk, phone] = [
    { ...FROM, name: 'Desk' },
    { ...FROM, name: 'Phone', rpm: 20 },
  ]
  const edit = (mine: typeof FROM) => ({ from: FROM, mine })
  expect(mergedTypedEdits(edit(desk), null, edit(phone))).toEqual(edit({ ...FROM, name: 'Desk', rpm: 20 }))
  // Both devices had agreed on the name: only the days are new here.
  const typed = edit({ ...desk, days: 30 })
  expect(mergedTypedEdits(typed, edit(desk), edit(phone))).toEqual(edit({ name: 'Phone', rpm: 20, days: 30 }))
  // Reverted here since both agreed.
  expect(mergedTypedEdits(edit(FROM), edit(desk), edit({ ...desk, rpm: 20 }))).toEqual(
    edit({ ...FROM, rpm: 20 }),
  )
})

test('of an edit that was saved or discarded on another device only later input stays', () => {
  const agreed = { from: FROM, mine: { ...FROM, name: 'Agreed', rpm: 20 } }
  expect(typedEditSince(agreed, agreed)).toBeNull()
  // The limit was reset since, which is newer input.
  const left = typedEditSince({ from: FROM, mine: { ...FROM, name: 'Agreed', days: 30 } }, agreed)
  const saved = { ...FROM, name: 'Saved', rpm: 20 }
  expect(fieldsOnTop(left, saved)).toEqual({
    fields: { ...saved, rpm: FROM.rpm, days: 30 },
    ...{ changed: ['rpm', 'days'], contested: [] },
  })
  expect(fieldsOnTop(left, FROM)).toEqual({
    ...{ fields: { ...FROM, days: 30 }, changed: ['days'], contested: [] },
  })
})
