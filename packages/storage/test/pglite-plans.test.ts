import { AgentId, ApiKeyId, newId, OrganizationId, SessionRowId } from '@troupe/contract'
import { expect, it } from 'vitest'
import { knownMigrations } from '../src/known-migrations.ts'
import { jobStore } from '../src/runs/jobs/store.ts'
import { runStore } from '../src/runs/store.ts'
import type { SqlClient } from '../src/sql/client/sql-client.ts'
import { migrate } from '../src/sql/migrate/migrate.ts'
import { startBarePglite } from '../src/sql/testing/bare-pglite.ts'
import { endOf, memberOf, runOn, sessionOf, targetOf, usage } from './contract/run-builders.ts'

it('no statement of a run has a plan that reads a whole table, with empty tables and their statistics', async () => {
  const migrations = await knownMigrations()
  const { pglite, driver } = await startBarePglite(null, migrations)
  await using _ = driver
  await migrate(driver, migrations)
  const scans: string[] = []
  const planned = new Set<string>()
  const explaining: SqlClient = {
    async query({ name, text }) {
      const [plan] = await pglite.exec(`explain (generic_plan) ${text}`)
      planned.add(name)
      for (const row of plan?.rows ?? []) {
        const node = String(row['QUERY PLAN'])
        if (node.includes('Seq Scan')) scans.push(`${name}: ${node}`)
      }
      return []
    },
    execute: async () => [],
  }
  const [runs, jobs] = [runStore(explaining), jobStore(explaining)]
  const tenant = { organizationId: newId(OrganizationId), apiKeyId: newId(ApiKeyId) }
  const { organizationId } = tenant
  const key = sessionOf(tenant)
  const run = runOn(tenant, key)
  const event = { seqFrom: 2, seq: 2, event: 'RunError', data: {}, cuts: null }
  const fence = { workerId: 'w', slice: 0 }
  for (const prepare of ['select 1', 'analyze']) {
    await driver.script(prepare)
    await runs.session(key, {
      maxBytes: 1,
      maxRuns: 1,
      toolRuns: 2,
      toolBytes: 1_000,
      stateBytes: 100_000,
      beforeSeq: null,
    })
    await runs.start(run)
    await runs.finish(endOf(run))
    await runs.finish(endOf(run, { events: [event] }))
    await runs.finish(endOf(run, { fence, members: [memberOf('member:m1:0')] }))
    await runs.settleCancelled(endOf(run))
    await runs.cancel({ organizationId, projectId: null }, targetOf(run))
    await runs.find({ organizationId, projectId: null }, targetOf(run))
    await runs.appendEvents(run.runId, organizationId, [event], null)
    await runs.appendEvents(run.runId, organizationId, [event], fence)
    await runs.eventsAfter(run.runId, 0)
    await jobs.ended('w', [run.runId])
    await jobs.renewLeases('w', [run.runId], 1)
    await runs.failLost({ all: false, errorCode: 'x', errorMessage: 'x' })
    await runs.sweepExpired({ eventsBefore: 1, idempotencyBefore: 1 })
    await runs.recordUsage({ ...endOf(run), usage: [usage()] })
    await runs.memberHistory(newId(SessionRowId), newId(AgentId), {
      maxBytes: 1,
      maxRuns: 1,
      toolRuns: 2,
      toolBytes: 1_000,
      stateBytes: 100_000,
    })
    await jobs.claim({ runId: run.runId, slice: 0 }, 'w', 30)
    await jobs.commitStep({
      runId: run.runId,
      fence,
      key: 'k',
      step: { name: 'tool_call', version: 1, output: 1 },
      usage: [],
      members: [],
      events: [],
    })
    await jobs.yield(run.runId, fence)
    await jobs.dispatched({ runId: run.runId, slice: 0 }, 60)
    await jobs.sweep({ dispatchSeconds: 60, queueSeconds: 3600, redeliverSeconds: 60 })
    await jobs.recover()
  }
  expect(planned.size).toBeGreaterThan(21)
  expect(scans).toEqual([])
})
