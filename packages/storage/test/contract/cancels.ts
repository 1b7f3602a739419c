import { AgentId, newId, RunId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { endOf, message, runOn, sessionOf, targetOf, usage } from './run-builders.ts'
import { createTenant, type Subject } from './tenant.ts'

export function cancelsContract(subject: Subject, client: () => SqlClient): void {
  const ledger = (runId: string) => rowsWhere(client(), 'usage_records', 'run_id', runId)

  describe('a cancel', () => {
    it('ends a running run once and notifies every process', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant))
      await db.runs.start(run)
      const heard: unknown[] = []
      const unsubscribe = db.signals.subscribe((signal) => {
        if (signal.kind === 'run_cancelled') heard.push(signal)
      })
      expect(await db.runs.cancel(tenant.scope, targetOf(run))).toEqual({
        cancelled: true,
        status: 'cancelled',
      })
      expect(await db.runs.cancel(tenant.scope, targetOf(run))).toEqual({
        cancelled: false,
        status: 'cancelled',
      })
      await expect.poll(() => heard).toEqual([{ kind: 'run_cancelled', runId: run.runId }])
      unsubscribe()
      expect(await db.runs.finish(endOf(run))).toEqual({ finished: false, status: 'cancelled' })
    })

    it('is null outside the scope: another organization, project or agent', async () => {
      const db = subject()
      const [tenant, other] = [await createTenant(db), await createTenant(db)]
      const { organizationId, projectA, projectB, scope } = tenant
      const run = runOn(tenant, sessionOf(tenant, { projectId: projectA }))
      await db.runs.start(run)
      expect(await db.runs.cancel(other.scope, targetOf(run))).toBeNull()
      expect(await db.runs.cancel({ organizationId, projectId: projectB }, targetOf(run))).toBeNull()
      expect(await db.runs.cancel(scope, targetOf(run, { entityId: newId(AgentId) }))).toBeNull()
      expect(await db.runs.cancel(scope, targetOf(run, { kind: 'team' }))).toBeNull()
      expect(await db.runs.cancel(scope, targetOf(run, { runId: newId(RunId) }))).toBeNull()
      const shared = runOn(tenant, sessionOf(tenant))
      await db.runs.start(shared)
      expect(await db.runs.cancel({ organizationId, projectId: projectA }, targetOf(shared))).toBeNull()
      expect(await db.runs.cancel({ organizationId, projectId: projectA }, targetOf(run))).toEqual({
        cancelled: true,
        status: 'cancelled',
      })
    })

    it('is settled with partial text, ledger and log once, and only then', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant), { source: 'api_stream' })
      await db.runs.start(run)
      const end = endOf(run, {
        status: 'cancelled',
        content: 'par',
        usage: [usage()],
        messages: [message({ role: 'assistant', content: 'par' })],
        events: [{ seqFrom: 1, seq: 1, event: 'RunCancelled', data: {}, cuts: null }],
      })
      await db.runs.settleCancelled(end)
      expect((await db.runs.find(tenant.scope, targetOf(run)))?.content).toBeNull()
      const observed = () => db.observed.run(tenant.organizationId, run.runId, { nodes: 0 })
      expect(await observed()).toMatchObject({ agentRun: { isSettled: false } })
      await db.runs.cancel(tenant.scope, targetOf(run))
      expect(await observed()).toMatchObject({ agentRun: { isSettled: false, calls: [] } })
      await db.runs.settleCancelled(end)
      expect(await observed()).toMatchObject({ agentRun: { isSettled: true, calls: [{}] } })
      await db.runs.settleCancelled({ ...end, content: 'twice' })
      const found = await db.runs.find(tenant.scope, targetOf(run))
      expect(found).toMatchObject({ status: 'cancelled', content: 'par', inputTokens: 10 })
      expect(found?.messages).toHaveLength(1)
      expect(await ledger(run.runId)).toHaveLength(1)
      expect(await db.runs.eventsAfter(run.runId, 0)).toEqual(end.events)
    })

    it('concurrent with a finish: exactly one wins, and both report it', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const runs = Array.from({ length: 200 }, () => runOn(tenant, sessionOf(tenant)))
      await Promise.all(runs.map((run) => db.runs.start(run)))
      const outcomes = await Promise.all(
        runs.map(async (run, i) => {
          const finish = () => db.runs.finish(endOf(run, { usage: [usage()] }))
          const cancel = () => db.runs.cancel(tenant.scope, targetOf(run))
          if (i % 2) {
            const [cancelled, finished] = await Promise.all([cancel(), finish()])
            return { run, finished, cancelled }
          }
          const [finished, cancelled] = await Promise.all([finish(), cancel()])
          return { run, finished, cancelled }
        }),
      )
      for (const { run, finished, cancelled } of outcomes) {
        const status = (await db.runs.find(tenant.scope, targetOf(run)))?.status
        expect([finished, cancelled]).toEqual(
          status === 'completed'
            ? [{ finished: true }, { cancelled: false, status: 'completed' }]
            : [
                { finished: false, status: 'cancelled' },
                { cancelled: true, status: 'cancelled' },
              ],
        )
        expect(await ledger(run.runId)).toHaveLength(status === 'completed' ? 1 : 0)
      }
    })
  })
}
