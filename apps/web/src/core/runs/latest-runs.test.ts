import type { ListedRun } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import { latestRuns } from './latest-runs.ts'

const runs = (...ended: [string, ListedRun['status']][]) =>
  ended.map(([id, status], at) => ({ runId: `${at}`, entity: { id }, status }) as ListedRun)

const told = (list: readonly ListedRun[]) =>
  latestRuns(list).map(({ run, inARow }) => [run.runId, run.entity.id, inARow])

test('runs of the same thing in a row are one entry, with the newest of them', () => {
  expect(
    told(runs(['beat', 'completed'], ['beat', 'completed'], ['desk', 'completed'], ['beat', 'completed'])),
  ).toEqual([
    ['0', 'beat', 2],
    ['2', 'desk', 1],
    ['3', 'beat', 1],
  ])
})

test('a failure between successes is a separate entry, and runs in flight are none', () => {
  expect(
    told(runs(['beat', 'running'], ['beat', 'completed'], ['beat', 'failed'], ['beat', 'completed'])),
  ).toEqual([
    ['1', 'beat', 1],
    ['2', 'beat', 1],
    ['3', 'beat', 1],
  ])
})
