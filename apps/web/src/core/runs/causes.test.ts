import type { ListedRun } from '@troupe/builder-contract'
import { expect, test } from 'vitest'
import { failureCauses } from './causes.ts'

const failed = (runId: string, message: string, entityId = 'a'): ListedRun => ({
  ...{ runId, kind: 'agent', isTest: false, entity: { id: entityId, name: entityId }, projectId: null },
  ...{
    versionId: 'v',
    versionNumber: 1,
    source: 'api_sync',
    status: 'failed',
    statusReason: null,
    success: false,
  },
  ...{ error: { code: null, message }, createdAt: 1, startedAt: null, completedAt: 2, durationMs: 1_000 },
  ...{ inputTokens: 0, outputTokens: 0, costUsd: null, startedBy: null, sessionId: null, sessionRowId: null },
  ...{ userId: null, tag: null, workflowRunId: null },
})

test('errors that differ in numbers and ids only are one cause, the most frequent first', () => {
  const causes = failureCauses([
    failed('r1', 'No such key'),
    failed('r2', 'Timed out after 30 s\nat line 7'),
    failed('r3', 'Timed out after 31 s'),
  ])
  expect(causes.map(({ cause, count, lastRun }) => [cause, count, lastRun.runId])).toEqual([
    ['Timed out after … s', 2, 'r2'],
    ['No such key', 1, 'r1'],
  ])
})

test('the same error of two agents is two causes', () => {
  expect(failureCauses([failed('r1', 'Broken'), failed('r2', 'Broken', 'b')])).toHaveLength(2)
})
