import type { Scope } from '@troupe/agents/ports'
import type { WorkflowRunCursor, WorkflowRunFilter } from '@troupe/workflows/ports'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/database.ts'
import { createTenant, type Subject } from './tenant.ts'
import {
  accepted,
  claimed,
  commit,
  DONE,
  type Publisher,
  publishedBy,
  publisher,
  startOf,
} from './workflow-builders.ts'

const START = 1_800_000_000_000

/** Ended runs, one a second, oldest first; their ids. */
async function ended(db: Database, from: Publisher, count: number, firstAt = START): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i += 1) {
    const run = await accepted(db, from, { createdAt: firstAt + i * 1_000 })
    await commit(db, await claimed(db, run), DONE)
    ids.push(run.runId)
  }
  return ids
}

export function workflowListsContract(subject: Subject): void {
  const pageOf = (scope: Scope, filter: WorkflowRunFilter = {}, limit = 100) =>
    subject().workflowRuns.list(scope, filter, { limit, after: null })
  const idsOf = async (scope: Scope, filter?: WorkflowRunFilter) =>
    (await pageOf(scope, filter)).runs.map(({ runId }) => runId)

  describe('lists of workflow runs', () => {
    it('have the newest first, and pages that follow each other while new runs arrive', async () => {
      const db = subject()
      const from = await publisher(db)
      const { scope } = from.tenant
      const ids = (await ended(db, from, 7)).toReversed()
      for (const filter of [{}, { workflowId: from.workflow.id }, { status: 'completed' as const }]) {
        const pages: string[][] = []
        let after: WorkflowRunCursor | null = null
        do {
          const page = await db.workflowRuns.list(scope, filter, { limit: 3, after })
          pages.push(page.runs.map(({ runId }) => runId))
          after = page.next
          if (pages.length === 1) await accepted(db, from, { createdAt: START + 3_600_000 })
        } while (after)
        expect(pages.flat().filter((id) => ids.includes(id as never))).toEqual(ids)
        await Promise.all(
          (await idsOf(scope, { status: 'queued' })).map((id) => db.workflowRuns.cancel(scope, id)),
        )
      }
    })

    it('tell runs of the same millisecond apart', async () => {
      const db = subject()
      const from = await publisher(db)
      const ids = await Promise.all(
        Array.from({ length: 5 }, async () => (await accepted(db, from, { createdAt: START })).runId),
      )
      const first = await pageOf(from.tenant.scope, {}, 2)
      const second = await db.workflowRuns.list(from.tenant.scope, {}, { limit: 3, after: first.next })
      const found = [...first.runs, ...second.runs].map(({ runId }) => runId)
      expect(found).toEqual(ids.toSorted().toReversed())
      expect(second.next).toBeNull()
    })

    it('show what is known of a run but its output', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from, { createdAt: START })
      expect((await pageOf(from.tenant.scope)).runs).toEqual([
        {
          runId: run.runId,
          workflowId: from.workflow.id,
          versionId: from.versionId,
          source: 'api_async',
          status: 'queued',
          statusReason: 'waiting for the engine',
          error: null,
          createdAt: START,
          startedAt: null,
          completedAt: null,
        },
      ])
    })

    it('are filtered by workflow and by status, in flight and ended', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 4 })
      const { scope } = from.tenant
      const other = await publishedBy(db, from.tenant)
      const [done] = await ended(db, from, 1)
      const [otherDone] = await ended(db, other, 1, START + 1_000)
      const queued = await accepted(db, from, { createdAt: START + 2_000 })
      const running = await accepted(db, other, { createdAt: START + 3_000 })
      await claimed(db, running)
      await accepted(db, other, { createdAt: START + 4_000 })
      await accepted(db, other, { createdAt: START + 5_000 })
      const refused = startOf(from, { createdAt: START + 6_000 })
      expect(await db.workflowRuns.accept(refused)).toMatchObject({ kind: 'rejected' })
      const { workflow } = from
      expect(await idsOf(scope, { workflowId: workflow.id })).toEqual([refused.runId, queued.runId, done])
      expect(await idsOf(scope, { status: 'completed' })).toEqual([otherDone, done])
      expect(await idsOf(scope, { status: 'running' })).toEqual([running.runId])
      expect(await idsOf(scope, { status: 'concurrency_limit_reached' })).toEqual([refused.runId])
      expect(await idsOf(scope, { status: 'cancelled' })).toEqual([])
      expect(await idsOf(scope, { workflowId: workflow.id, status: 'queued' })).toEqual([queued.runId])
      expect(await idsOf(scope, { workflowId: other.workflow.id, status: 'failed' })).toEqual([])
    })

    it('end at the border of the organization and of the project', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const stranger = await publisher(db)
      const inside = await publishedBy(db, tenant, { projectId: tenant.projectA })
      const outside = await publishedBy(db, tenant)
      const run = await accepted(db, inside)
      await accepted(db, outside)
      await accepted(db, stranger)
      const project = { ...tenant.scope, projectId: tenant.projectA }
      expect(await idsOf(tenant.scope)).toHaveLength(2)
      expect(await idsOf(project)).toEqual([run.runId])
      expect(await idsOf(project, { status: 'queued' })).toEqual([run.runId])
      expect(await idsOf(project, { workflowId: outside.workflow.id })).toEqual([])
      expect(await idsOf(tenant.scope, { workflowId: stranger.workflow.id })).toEqual([])
      expect(await idsOf({ ...tenant.scope, projectId: tenant.projectB })).toEqual([])
    })
  })
}
