import { expect, test } from 'vitest'
import { RecentNotes } from './recent-notes.ts'

const note = (entryId: number) => ({
  topic: 'configuration',
  draft: null,
  change: { entryId, action: 'agent.updated', entityKind: 'agent', entityId: `a${entryId}` },
})

test('a change sent by two connections is delivered once', () => {
  const recent = new RecentNotes(() => 0)
  expect([recent.isNew(note(1)), recent.isNew(note(2)), recent.isNew(note(1))]).toEqual([true, true, false])
  const ofRuns = { topic: 'runs', draft: null, change: null }
  expect([recent.isNew(ofRuns), recent.isNew(ofRuns)]).toEqual([true, true])
})

test('deleted notes shorten the covered time', () => {
  let now = 1_000
  const recent = new RecentNotes(() => now)
  recent.startAt(500)
  recent.isNew(note(1))
  expect(recent.all()).toEqual({ since: 500, notes: [note(1)] })
  now = 50_000
  recent.isNew(note(2))
  now = 62_000
  expect(recent.all()).toEqual({ since: 1_000, notes: [note(2)] })
})

test('of very many changes the newest are kept', () => {
  let now = 0
  const recent = new RecentNotes(() => now)
  for (let entryId = 1; entryId <= 600; entryId += 1) {
    now = entryId
    recent.isNew(note(entryId))
  }
  const { since, notes } = recent.all()
  expect([since, notes.length, notes[0]]).toEqual([100, 500, note(101)])
})
