import { randomUUID } from 'node:crypto'
import type { UsageDimension } from '@troupe/contract'
import type { SqlClient } from '@troupe/sql'
import { describe, expect, it } from 'vitest'
import { budgetFixture } from './budget-fixture.ts'
import { endOf, runOn, sessionOf, usage } from './run-builders.ts'
import { createTenant, type Subject, type Tenant } from './tenant.ts'

/** What the totals of usage guarantee. */
export function usageTotalsContract(subject: Subject, client: () => SqlClient): void {
  const { spend, shift } = budgetFixture(subject, client)
  const today = new Date().toISOString().slice(0, 10)
  const longAgo = new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10)
  const sums = (tenant: Tenant, groupBy: UsageDimension, projectId: Tenant['projectA'] | null = null) => {
    const scope = { organizationId: tenant.organizationId, projectId }
    return subject().usage.sums(scope, { groupBy, from: longAgo, to: today, limit: 1_000 })
  }
  const total = async (tenant: Tenant) => {
    const days = await sums(tenant, 'day')
    return days.reduce((sum, { inputTokens }) => sum + inputTokens, 0)
  }

  describe('totals of usage', () => {
    it('have each call once, however often and at the same time they are rolled up', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      for (const hours of [100, 50, 2, 1]) {
        await spend(db, tenant, { inputTokens: hours, outputTokens: 1 })
        await shift('usage_records', 'created_at', tenant, `${hours} hours`)
      }
      await client().execute("update usage_rollup set rolled_until = now() - interval '200 hours'", [])
      await client().execute('delete from usage_totals', [])
      await spend(db, tenant, { inputTokens: 7, outputTokens: 1 })
      // Each shift has moved the earlier rows too; 100 + 50 + 2 + 1 hours are the oldest.
      expect(await total(tenant)).toBe(160)
      await Promise.all([db.usage.rollUp(), db.usage.rollUp(), db.usage.rollUp()])
      expect(await total(tenant)).toBe(160)
      const [rows] = await client().execute(
        `select sum(input_tokens)::int from usage_totals where organization_id = $1::uuid and dimension = 'day'`,
        [tenant.organizationId],
      )
      expect(rows).toEqual([153])
      await db.usage.rollUp()
      expect(await total(tenant)).toBe(160)
    })

    it('count a run once on the day of its first call, and once for each of its agents', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant, { kind: 'team' }), { source: 'api_sync', tag: 'blue' })
      const [ana, bob] = [randomUUID(), randomUUID()]
      const record = (agentId: string) => {
        const { organizationId } = tenant
        const caller = { runId: run.runId, organizationId, projectId: null, userId: 'ana', tag: 'blue' }
        return db.runs.recordUsage({
          ...caller,
          usage: [usage({ agentId: agentId as never, inputTokens: 1 })],
        })
      }
      await db.runs.start(run)
      await record(ana)
      await shift('usage_records', 'created_at', tenant, '30 hours')
      await client().execute("update usage_rollup set rolled_until = now() - interval '40 hours'", [])
      await client().execute('delete from usage_totals', [])
      await record(ana)
      await record(bob)
      await shift('usage_records', 'created_at', tenant, '10 minutes')
      const all = async () =>
        Promise.all(
          (['day', 'agent', 'team', 'key', 'user', 'tag'] as const).map(async (groupBy) => {
            const rows = await sums(tenant, groupBy)
            return rows.map(({ key, runs, modelCalls }) => [key, runs, modelCalls])
          }),
        )
      const before = await all()
      expect(before.slice(1)).toEqual([
        expect.arrayContaining([
          [ana, 1, 2],
          [bob, 1, 1],
        ]),
        [[run.session.entityId, 1, 3]],
        [[tenant.apiKeyId, 1, 3]],
        [['ana', 1, 3]],
        [['blue', 1, 3]],
      ])
      expect(before[0]?.map((day) => day[1])).toEqual([1, 0])
      await db.usage.rollUp()
      expect(await all()).toEqual(before)
    })

    it('are those of the project for a scope of a project, and never of another organization', async () => {
      const db = subject()
      const [tenant, other] = [await createTenant(db), await createTenant(db)]
      await spend(db, tenant, { inputTokens: 5, costMicros: null }, tenant.projectA)
      await spend(db, tenant, { inputTokens: 3, cachedTokens: 2, costMicros: 40 })
      await spend(db, other, { inputTokens: 100 })
      expect(await sums(tenant, 'user', tenant.projectA)).toMatchObject([
        { inputTokens: 5, costMicros: null },
      ])
      expect(await sums(tenant, 'user')).toMatchObject([
        { key: 'ana', name: 'ana', inputTokens: 8, cachedTokens: 2, costMicros: 40, modelCalls: 2 },
      ])
    })

    it('name the agent, and keep what a deleted session has cost', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant))
      await db.runs.start(run)
      await db.runs.finish(endOf(run, { usage: [usage({ inputTokens: 4 })] }))
      await client().execute('delete from sessions where session_id = $1', [run.session.sessionId])
      expect(await sums(tenant, 'key')).toMatchObject([{ key: tenant.apiKeyId, runs: 1, inputTokens: 4 }])
    })
  })
}
