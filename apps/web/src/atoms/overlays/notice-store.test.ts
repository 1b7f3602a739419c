import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentNotices, dismissNotice, holdNotices, showNotice } from './notice-store.ts'

const titles = () => currentNotices().map(({ title }) => title)
const undo = { label: 'Undo', run: () => undefined }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  holdNotices(false)
  for (const { id } of currentNotices()) dismissNotice(id)
  vi.useRealTimers()
})

test('a notice goes after a while, one with an action later, one that failed never', () => {
  showNotice({ title: 'Saved' })
  showNotice({ title: 'Removed', action: undo })
  showNotice({ title: 'Failed', tone: 'bad' })
  vi.advanceTimersByTime(5_000)
  expect(titles()).toEqual(['Removed', 'Failed'])
  vi.advanceTimersByTime(60_000)
  expect(titles()).toEqual(['Failed'])
})

test('none goes while they are held, and each has its whole time afterwards', () => {
  showNotice({ title: 'Removed', action: undo })
  vi.advanceTimersByTime(9_000)
  holdNotices(true)
  showNotice({ title: 'Saved' })
  vi.advanceTimersByTime(60_000)
  expect(titles()).toEqual(['Removed', 'Saved'])
  holdNotices(false)
  vi.advanceTimersByTime(5_000)
  expect(titles()).toEqual(['Removed'])
  vi.advanceTimersByTime(5_000)
  expect(titles()).toEqual([])
})

test('of too many the oldest go, but never what failed or can be undone', () => {
  showNotice({ title: 'Failed', tone: 'bad' })
  showNotice({ title: 'Removed', action: undo })
  for (const title of ['One', 'Two', 'Three']) showNotice({ title })
  expect(titles()).toEqual(['Failed', 'Removed', 'Three'])
  for (const title of ['A', 'B']) showNotice({ title, action: undo })
  expect(titles()).toEqual(['Failed', 'Removed', 'A', 'B'])
})
