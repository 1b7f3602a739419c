import type { RunDetail } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import { beginningOf } from './run-beginning.ts'

const SECOND = 1_800_000_000
const at = (ms: number) => SECOND * 1_000 + ms
const idOf = (ms: number) => {
  const hex = at(ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-0123456789ab`
}
function begins(
  change: Partial<Pick<RunDetail, 'runId' | 'startedAt' | 'completedAt' | 'durationMs'>>,
  members: readonly (readonly [started: number, completed: number | null])[] = [],
): number {
  const run: RunDetail = {
    ...{ runId: 'r', kind: 'team', isTest: false, entity: { id: 'e', name: 'Desk' }, projectId: null },
    ...{ versionId: 'v', versionNumber: 1, source: 'api_sync', status: 'completed', statusReason: null },
    ...{
      success: true,
      error: null,
      createdAt: SECOND,
      startedAt: SECOND,
      completedAt: null,
      durationMs: null,
    },
    ...{
      inputTokens: 1,
      outputTokens: 1,
      costUsd: null,
      startedBy: null,
      sessionId: null,
      sessionRowId: null,
    },
    ...{ userId: null, tag: null, workflowRunId: null, workflowRun: null, agentRun: null },
    ...change,
  }
  const found = beginningOf(
    run,
    members.map(([started, completed], index) => ({
      ...{ runId: `m${index}`, stepKey: 'member:m1:0', agentId: 'a', agentName: 'A', versionNumber: 1 },
      ...{ status: 'completed', success: true, input: null, content: null, errorCode: null, error: null },
      ...{ inputTokens: 0, outputTokens: 0, startedMs: at(started) },
      completedMs: completed === null ? null : at(completed),
    })),
  )
  return found - at(0)
}

test('a run begins when its id was made', () => {
  expect(begins({ runId: idOf(870) })).toBe(870)
})

test('a job that waited begins in the second in which a worker took it', () => {
  expect(begins({ runId: idOf(-40_000) })).toBe(0)
})

test('a run with times in whole seconds begins with its second', () => {
  expect(begins({})).toBe(0)
})

test('a run that ended in a later second began at least its duration before that second', () => {
  expect(begins({ completedAt: SECOND + 2, durationMs: 1_300 })).toBe(700)
})

test('a member begins and ends within its run', () => {
  expect(begins({ durationMs: 550 }, [[900, 1_400]])).toBe(850)
  expect(begins({ runId: idOf(930) }, [[900, null]])).toBe(900)
})
