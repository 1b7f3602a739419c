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

test('a notice disappears after a while, one with an action later, one with a failure never', () => {
  showNotice({ title: 'Saved' })
  showNotice({ title: 'Removed', action: undo })
  showNotice({ title: 'Failed', tone: 'bad' })
  vi.advanceTimersByTime(5_000)
  expect(titles()).toEqual(['Removed', 'Failed'])
  vi.advanceTimersByTime(60_000)
  expect(titles()).toEqual(['Failed'])
})

test('none disappears while they are held, and each has its full time afterwards', () => {
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

test('the newest is shown also beside as many as there may be', () => {
  for (const title of ['A', 'B', 'C']) showNotice({ title, action: undo })
  showNotice({ title: 'Saved' })
  expect(titles()).toEqual(['A', 'B', 'C', 'Saved'])
  showNotice({ title: 'Copied' })
  expect(titles()).toEqual(['A', 'B', 'C', 'Copied'])
})

test('a repeated notice is shown once, as the newest, unless it can be undone', () => {
  for (let times = 0; times < 8; times += 1) showNotice({ title: 'Not saved', tone: 'bad' })
  const [first] = currentNotices()
  showNotice({ title: 'Copied' })
  showNotice({ title: 'Not saved', tone: 'bad', detail: 'Line 3.' })
  expect(titles()).toEqual(['Copied', 'Not saved'])
  expect(currentNotices()[1]).toMatchObject({ detail: 'Line 3.' })
  expect(currentNotices()[1]?.id).not.toBe(first?.id)
  showNotice({ title: 'Removed', action: undo })
  showNotice({ title: 'Removed', action: undo })
  expect(titles()).toEqual(['Not saved', 'Removed', 'Removed'])
})

test('a later notice about the same subject takes the place of one that can be undone', () => {
  showNotice({ title: 'Removed', action: undo })
  showNotice({ title: 'Restored version 1', action: undo, subject: 'draft 1' })
  showNotice({ title: 'Restored version 2', action: undo, subject: 'draft 2' })
  showNotice({ title: 'Restored version 3', action: undo, subject: 'draft 1' })
  expect(titles()).toEqual(['Removed', 'Restored version 2', 'Restored version 3'])
  vi.advanceTimersByTime(9_000)
  showNotice({ title: 'The draft is as it was', subject: 'draft 1' })
  expect(titles()).toEqual(['Removed', 'Restored version 2', 'The draft is as it was'])
})

test('a repeated notice has its full duration again', () => {
  showNotice({ title: 'Saved' })
  vi.advanceTimersByTime(4_000)
  showNotice({ title: 'Saved' })
  vi.advanceTimersByTime(4_000)
  expect(titles()).toEqual(['Saved'])
  vi.advanceTimersByTime(1_000)
  expect(titles()).toEqual([])
})

test('of too many failures the oldest go', () => {
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) showNotice({ title, tone: 'bad' })
  expect(titles()).toEqual(['Three', 'Four', 'Five'])
})

test('a failure with an action stays among as many failures as there may be', () => {
  showNotice({ title: 'Not sent', tone: 'bad', action: { label: 'Retry', run: () => undefined } })
  for (const title of ['One', 'Two', 'Three', 'Four']) showNotice({ title, tone: 'bad' })
  expect(titles()).toEqual(['Not sent', 'Two', 'Three', 'Four'])
})
