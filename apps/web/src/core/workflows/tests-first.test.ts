import { expect, test } from 'vitest'
import { runsBefore, testsState } from './tests-first.ts'

type Case = Parameters<typeof testsState>[0][number]
type Verdict = NonNullable<Case['result']>['verdict']

const tested = (testCaseId: string, runId: string | null, verdict: Verdict = 'passed'): Case => ({
  ...{ testCaseId, blocking: true },
  result: runId === null ? null : { ...TESTED, runId, verdict },
})
const TESTED = {
  ...{ runStatus: 'completed', isCurrent: true, differences: [] },
  startedAt: '2026-11-30T00:00:00.000Z',
}

test('a case has a result once its new test has ended', () => {
  const before = runsBefore([tested('a', 'old', 'failed'), tested('b', null)], ['a', 'b'])
  const state = (...cases: Case[]) => testsState(cases, before, [])
  expect(state(tested('a', 'old', 'failed'), tested('b', null))).toEqual({ left: 2, hasPassed: false })
  expect(state(tested('a', 'new', 'running'), tested('b', 'one')).left).toBe(1)
  expect(state(tested('a', 'new'), tested('b', 'one'))).toEqual({ left: 0, hasPassed: true })
  expect(state(tested('a', 'new', 'failed'), tested('b', 'one'))).toEqual({ left: 0, hasPassed: false })
})

test('a waiting case shows no result of an earlier test, even if the list was loaded after the press', () => {
  const before = runsBefore([], ['a'])
  const cases = [tested('a', 'old', 'failed')]
  expect(testsState(cases, before, ['a'])).toEqual({ left: 1, hasPassed: false })
})

test('a case that was deleted or no longer blocks is not waited for', () => {
  const before = runsBefore([tested('a', 'old', 'failed'), tested('b', null)], ['a', 'b'])
  expect(testsState([tested('b', 'one')], before, [])).toEqual({ left: 0, hasPassed: true })
  const free = { ...tested('a', 'old', 'failed'), blocking: false }
  expect(testsState([free, tested('b', 'one')], before, [])).toEqual({ left: 0, hasPassed: true })
})
