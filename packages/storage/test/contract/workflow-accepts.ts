import { newId, UserId } from '@troupe/contract'
import type { AcceptOutcome } from '@troupe/workflows/ports'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { createTenant, type Subject, SYSTEM } from './tenant.ts'
import {
  accepted,
  claimed,
  commit,
  DONE,
  newWorkflowId,
  publishedBy,
  publisher,
  recordOf,
  rowOf,
  setCeiling,
  startOf,
  workflowOf,
} from './workflow-builders.ts'

const PERSON = newId(UserId)

export function workflowAcceptsContract(subject: Subject, client: () => SqlClient): void {
  const accept = (...run: Parameters<typeof startOf>) => subject().workflowRuns.accept(startOf(...run))

  describe('the start of a workflow', () => {
    it('is written with the other writes of its transaction, or not at all', async () => {
      const db = subject()
      const from = await publisher(db)
      const [kept, undone] = [startOf(from), startOf(from)]
      await db.transaction((tx) => tx.accept(kept))
      await expect(
        db.transaction(async (tx) => {
          await tx.accept(undone)
          throw new Error('something else failed')
        }),
      ).rejects.toThrow('something else failed')
      expect(await recordOf(db, from, kept)).toMatchObject({ status: 'queued' })
      expect(await db.workflowRuns.find(from.tenant.scope, undone.runId)).toBeNull()
    })

    // Near the ceiling and far from it, the database decides in different statements.
    it.each([
      20, 10_000,
    ])('that was checked against a version starts that one or nothing, under a ceiling of %i', async (ceiling) => {
      const db = subject()
      const from = await publisher(db, { ceiling })
      const { versionId, tenant, workflow } = from
      expect(await accept(from, { versionId })).toMatchObject({ kind: 'accepted', versionId })
      const published = await db.transaction(({ write }) =>
        write.workflows.publish({
          ...workflow,
          graph: { nodes: [], edges: [] },
          resources: [],
          createdBy: SYSTEM,
        }),
      )
      const newer = published.activeDeployment?.versionId ?? null
      const run = startOf(from, { versionId })
      expect(await db.workflowRuns.accept(run)).toEqual({ kind: 'version_changed' })
      expect(await db.workflowRuns.find(tenant.scope, run.runId)).toBeNull()
      expect(await accept(from, { versionId: newer })).toMatchObject({ kind: 'accepted', versionId: newer })
      expect(await accept({ tenant, workflow })).toMatchObject({ kind: 'accepted', versionId: newer })
    })

    it('pins the active deployment and waits as queued, due at once', async () => {
      const db = subject()
      const from = await publisher(db, { projectId: null })
      const run = startOf(from, {
        source: 'schedule',
        firedNodeId: 'daily',
        scheduledFor: 1_799_999_999_000,
        startedByUserId: PERSON,
        createdAt: 1_800_000_000_000,
      })
      const outcome = await db.workflowRuns.accept(run)
      const workflow = await db.read.workflows.byId(from.tenant.organizationId, from.workflow.id)
      expect(outcome).toEqual({
        kind: 'accepted',
        status: 'queued',
        projectId: null,
        deploymentId: workflow?.activeDeployment?.id,
        versionId: from.versionId,
      })
      expect(await recordOf(db, from, run)).toEqual({
        runId: run.runId,
        workflowId: from.workflow.id,
        versionId: from.versionId,
        source: 'schedule',
        status: 'queued',
        statusReason: 'waiting for a worker',
        output: null,
        error: null,
        createdAt: 1_800_000_000_000,
        startedAt: null,
        completedAt: null,
      })
      expect(await rowOf(client(), run)).toMatchObject({
        slice: 0,
        worker_id: null,
        lease_until: null,
        dispatch_due_at: expect.any(Date),
        fired_node_id: 'daily',
        scheduled_for: new Date(1_799_999_999_000),
        started_by_user_id: PERSON,
        input: { orderId: 'A-1' },
        variables: {},
      })
    })

    it('with a claim is running in this process from the beginning', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = startOf(from, { claim: { workerId: 'w', leaseSeconds: 30 }, waiter: 'w' })
      expect(await db.workflowRuns.accept(run)).toMatchObject({ kind: 'accepted', status: 'running' })
      expect(await recordOf(db, from, run)).toMatchObject({ status: 'running', startedAt: run.createdAt })
      expect(await rowOf(client(), run)).toMatchObject({
        worker_id: 'w',
        waiter: 'w',
        dispatch_due_at: null,
      })
      expect(await db.workflowRuns.claim({ runId: run.runId, slice: 0 }, 'v', 30)).toBeNull()
      const { tenant } = from
      const fence = { runId: run.runId, workerId: 'w', slice: 0 }
      const { organizationId } = tenant
      expect(await commit(db, { fence, organizationId }, DONE)).toMatchObject({ status: 'completed' })
    })

    it('is refused without a row in the order of the checks', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      await setCeiling(db, tenant, 0)
      const [draft, deleted] = [workflowOf(tenant, { projectId: tenant.projectA }), workflowOf(tenant)]
      const { organizationId } = tenant
      await db.transaction(async ({ write }) => {
        for (const workflow of [draft, deleted]) await write.workflows.insert(workflow)
        await write.workflows.softDelete(organizationId, deleted.id)
      })
      const theirs = await publisher(db)
      const refusal = async (workflowId: string, projectId = tenant.scope.projectId) => {
        const run = startOf(
          { tenant, workflow: draft },
          { workflowId: workflowId as typeof draft.id, scope: { organizationId, projectId } },
        )
        const { kind } = await db.workflowRuns.accept(run)
        expect(await rowOf(client(), run)).toBeUndefined()
        return kind
      }
      expect(await refusal(newWorkflowId(), tenant.projectB)).toBe('workflow_not_found')
      expect(await refusal(deleted.id, tenant.projectB)).toBe('workflow_not_found')
      expect(await refusal(theirs.workflow.id)).toBe('workflow_not_found')
      expect(await refusal(draft.id, tenant.projectB)).toBe('forbidden')
      expect(await refusal(draft.id, tenant.projectA)).toBe('workflow_not_published')
      const shared = await publishedBy(db, tenant)
      expect(await refusal(shared.workflow.id, tenant.projectA)).toBe('forbidden')
    })

    it('runs the version of the last publish, and none after an unpublish', async () => {
      const db = subject()
      const from = await publisher(db)
      const { organizationId } = from.tenant
      const first = await accepted(db, from)
      const { id } = from.workflow
      const again = { organizationId, id, graph: { nodes: [], edges: [] }, resources: [] }
      const actor = { kind: 'system', id: null, ip: null, requestId: null } as const
      const published = await db.transaction(({ write }) =>
        write.workflows.publish({ ...again, createdBy: actor }),
      )
      const second = await accepted(db, from)
      expect((await recordOf(db, from, first)).versionId).toBe(from.versionId)
      expect((await recordOf(db, from, second)).versionId).toBe(published.activeDeployment?.versionId)
      await db.transaction(({ write }) => write.workflows.unpublish(organizationId, id))
      expect(await accept(from)).toEqual({ kind: 'workflow_not_published' })
      await claimed(db, first)
    })
  })

  describe('the ceiling of an organization', () => {
    it('rejects a start with a row that never began, and accepts it again when a slot is free', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 1 })
      const first = await accepted(db, from)
      const run = startOf(from, { claim: { workerId: 'w', leaseSeconds: 30 } })
      const error = 'The organization is at its ceiling of 1 concurrent workflow runs.'
      const rejected = { kind: 'rejected', status: 'concurrency_limit_reached', error }
      expect(await db.workflowRuns.accept(run)).toEqual(rejected)
      expect(await recordOf(db, from, run)).toMatchObject({
        status: 'concurrency_limit_reached',
        error,
        startedAt: null,
        completedAt: run.createdAt,
        createdAt: run.createdAt,
      })
      expect(await rowOf(client(), run)).toMatchObject({
        worker_id: null,
        lease_until: null,
        dispatch_due_at: null,
      })
      const other = await publisher(db, { ceiling: 1 })
      expect(await accept(other)).toMatchObject({ kind: 'accepted' })
      await db.workflowRuns.cancel(from.tenant.scope, first.runId)
      expect(await accept(from)).toMatchObject({ kind: 'accepted' })
    })

    it('is exact under 1,000 concurrent starts', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 50 })
      const outcomes = await Promise.all(Array.from({ length: 1_000 }, () => accept(from)))
      const count = (wanted: (outcome: AcceptOutcome) => boolean) => outcomes.filter(wanted).length
      expect(count(({ kind }) => kind === 'accepted')).toBe(50)
      expect(count((one) => one.kind === 'rejected' && one.status === 'concurrency_limit_reached')).toBe(950)
      expect(await rowsWhere(client(), 'workflow_runs', 'workflow_id', from.workflow.id)).toHaveLength(1_000)
    })
  })

  describe('an Idempotency-Key of a workflow', () => {
    const key = (bodyHash = 'h') => ({ path: '/workflows/run', key: 'k-1', bodyHash })

    it('returns the first run, even at the ceiling and to concurrent requests', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 1 })
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => accept(from, { idempotency: key() })),
      )
      const [first] = await rowsWhere(client(), 'workflow_runs', 'workflow_id', from.workflow.id)
      expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(1)
      const used = { kind: 'idempotency_key_used', runId: first?.id, bodyHash: 'h' }
      expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toEqual(Array(19).fill(used))
      expect(await accept(from, { idempotency: key('other') })).toEqual(used)
      const rows = await rowsWhere(client(), 'workflow_runs', 'workflow_id', from.workflow.id)
      expect(rows).toHaveLength(1)
    })

    it('is free again after 24 hours', async () => {
      const db = subject()
      const from = await publisher(db)
      const day = 24 * 3_600_000
      const first = await accepted(db, from, { idempotency: key(), createdAt: Date.now() - day })
      const next = await accepted(db, from, { idempotency: key('new') })
      expect(await accept(from, { idempotency: key() })).toMatchObject({ runId: next.runId, bodyHash: 'new' })
      expect(next.runId).not.toBe(first.runId)
    })

    it('is not claimed by a start that the ceiling rejected, and is deleted with its run', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 0 })
      expect(await accept(from, { idempotency: key() })).toMatchObject({ kind: 'rejected' })
      await setCeiling(db, from.tenant, 1)
      const run = await accepted(db, from, { idempotency: key() })
      await client().query(
        { name: 'drop_workflow_run', text: 'delete from workflow_runs where id = $1::uuid' },
        [run.runId],
      )
      expect(await rowsWhere(client(), 'idempotency_keys', 'workflow_run_id', run.runId)).toEqual([])
    })
  })
}
