import { DomainError, type OrganizationId, type WorkflowId, type WorkflowRunId } from '@troupe/contract'
import type { WorkflowRunPage, WorkflowRunStore } from '@troupe/workflows/ports'
import { expect, test, vi } from 'vitest'
import { listWorkflowRuns } from './list-workflow-runs.ts'

const scope = { organizationId: 'o' as OrganizationId, projectId: null }
const runId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' as WorkflowRunId

function storeOf(page: Partial<WorkflowRunPage>) {
  return { list: vi.fn<WorkflowRunStore['list']>(async () => ({ runs: [], next: null, ...page })) }
}

const run = {
  ...{ runId, workflowId: 'w' as WorkflowId, versionId: 'v' as never, source: 'form' as const },
  ...{ status: 'failed' as const, statusReason: null, error: 'Node a failed' },
  ...{ createdAt: 1_800_000_000_900, startedAt: 1_800_000_001_100, completedAt: null },
}

test('a page tells its runs in seconds, and where the next page begins', async () => {
  const store = storeOf({ runs: [run], next: { createdAt: run.createdAt, runId } })
  const page = await listWorkflowRuns(store, scope, {})
  expect(page.data).toEqual([
    {
      ...{ executionId: runId, workflowId: 'w', source: 'form', status: 'failed', statusReason: null },
      ...{ error: 'Node a failed', createdAt: 1_800_000_000, startedAt: 1_800_000_001, completedAt: null },
    },
  ])
  expect(store.list).toHaveBeenCalledWith(scope, {}, { limit: 20, after: null })
  const query = { after: page.next ?? '', limit: 500, status: 'failed', workflowId: run.workflowId } as const
  await listWorkflowRuns(store, scope, query)
  expect(store.list).toHaveBeenLastCalledWith(
    scope,
    { workflowId: 'w', status: 'failed' },
    { limit: 100, after: { createdAt: run.createdAt, runId } },
  )
})

test.for([
  'x',
  Buffer.from('1.x').toString('base64url'),
  Buffer.from(runId).toString('base64url'),
])('the cursor %j is refused', async (after) => {
  const error = await listWorkflowRuns(storeOf({}), scope, { after }).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(DomainError)
  expect(error).toMatchObject({ code: 'validation_error' })
})
