import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SqlDriver } from '../../src/sql/client/sql-client.ts'
import type { Subject } from './tenant.ts'
import { accepted, publisher } from './workflow-builders.ts'
import { endedRuns, pagesOfStart, passingRuns } from './workflow-load.ts'

export function workflowGrowthContract(subject: Subject, driver: () => SqlDriver): void {
  describe('the cost of a start', () => {
    it('does not depend on the number of ended runs', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 1_000 })
      // Enough starts for the database to settle on plans while the tables are still small.
      for (let i = 0; i < 12; i += 1) await accepted(db, from)
      const few = await pagesOfStart(driver(), from)
      expect(few).toBeGreaterThan(5)
      await endedRuns(driver(), from, 20_000)
      for (let i = 0; i < 30; i += 1) {
        await passingRuns(driver(), from)
        const { runId } = await accepted(db, from)
        await db.workflowRuns.cancel(from.tenant.scope, runId)
      }
      // Starts skip entries of ended runs in an index only once no older snapshot needs them, and the automatic
      // analysis of the 20,000 rows holds a snapshot while it reads.
      await expect.poll(() => pagesOfStart(driver(), from)).toBeLessThan(few + 25)
    })

    it("does not depend on the month's ledger if there are budgets", async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 1_000 })
      const { organizationId, projectA } = from.tenant
      await driver().script(`
        insert into usage_records (organization_id, run_id, purpose, llm_config_id, model_id, attempt, is_fallback,
            input_tokens, cached_tokens, output_tokens, reasoning_tokens, usage_incomplete, latency_ms, ok, user_id,
            cost_micros, created_at)
          select '${organizationId}', gen_random_uuid(), 'chat', gen_random_uuid(), 'm', 1, false, 1, 0, 1, 0, false, 1,
            true, 'ana', 1, now() - interval '20 minutes'
          from generate_series(1, 10000);`)
      await db.transaction(async ({ write }) => {
        for (const metric of ['workflow_runs', 'llm_tokens', 'llm_cost_usd'] as const) {
          for (const projectId of [null, projectA]) {
            const budget = { id: randomUUID(), organizationId, projectId, metric }
            await write.budgets.put({ ...budget, limitMicros: 1e12, period: 'month' })
          }
        }
      })
      await accepted(db, from)
      expect(await pagesOfStart(driver(), from)).toBeLessThan(100)
    })
  })
}
