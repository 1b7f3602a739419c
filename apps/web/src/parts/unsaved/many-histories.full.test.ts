import { afterEach, beforeEach, test, vi } from 'vitest'
import { checkLists, checkSettings, checkShared } from './testing/histories.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Histories of each kind: rare races need thousands. */
const HISTORIES = 10_000

test.each([
  { title: 'own settings', check: checkSettings },
  { title: 'shared settings with saves', check: checkShared },
  { title: 'rules that look alike', check: (seed: number) => checkLists(seed, false) },
  { title: 'tools with names and saves', check: (seed: number) => checkLists(seed, true) },
])('no edit is lost in many random histories of $title', { timeout: 1_200_000 }, async ({ check }) => {
  for (let seed = 1; seed <= HISTORIES; seed += 1) await check(seed)
})
