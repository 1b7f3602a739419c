import { testPostgres } from '@troupe/test-kit/postgres'
import type { NewWorkflowRun } from '@troupe/workflows/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/open-database.ts'
import { openPool } from '../src/sql/postgres/pool-driver.ts'
import { workflowRunStore } from '../src/workflow-runs/store.ts'
import { publisher, startOf } from './contract/workflow-builders.ts'
import { migrateUrl } from './migrate-url.ts'

const postgres = await testPostgres(migrateUrl)

describe.skipIf(!postgres)('1,000 starts at once over 80 connections', () => {
  const owned = new AsyncDisposableStack()
  let url: string

  beforeAll(async () => {
    if (!postgres) return
    owned.use(postgres)
    url = owned.use(await postgres.createDatabase()).url
  })
  afterAll(() => owned.disposeAsync())

  // 320 is above max_connections of the test server: the first starts commit concurrently, the last one by one.
  it.each([50, 320])('fill a ceiling of %d exactly, while runs end, and again', async (ceiling) => {
    await using db = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })
    await using driver = openPool({ url, size: 80, onError: () => {} })
    const from = await publisher(db, { ceiling })
    // Several processes, each of which must detect that the organization is near its ceiling.
    const stores = Array.from({ length: 4 }, () => workflowRunStore(driver, { alone: false }))
    const storeOf = (i: number) => stores[i % stores.length] ?? db.workflowRuns
    const start = async (run: NewWorkflowRun, i: number) => ({ run, outcome: await storeOf(i).accept(run) })
    const inFlight = async () => {
      const [row] = await driver.execute(
        `select count(*) from workflow_runs where organization_id = $1::uuid
          and status in ('queued', 'running', 'paused', 'awaiting_approval')`,
        [from.tenant.organizationId],
      )
      return row?.[0]
    }
    const started = await Promise.all(Array.from({ length: 1_000 }, (_, i) => start(startOf(from), i)))
    const admitted = started.filter(({ outcome }) => outcome.kind === 'accepted')
    expect(admitted).toHaveLength(ceiling)
    expect(await inFlight()).toBe(ceiling)

    // Slots are freed while others start: never more than the ceiling, and all of it in the end.
    const most: unknown[] = []
    await Promise.all([
      ...admitted.map(({ run }, i) => storeOf(i).cancel(from.tenant.scope, run.runId)),
      ...Array.from({ length: 400 }, async (_, i) => {
        await start(startOf(from), i)
        if (i % 20 === 0) most.push(await inFlight())
      }),
    ])
    expect(Math.max(...most.map(Number))).toBeLessThanOrEqual(ceiling)
    await Promise.all(Array.from({ length: 400 }, (_, i) => start(startOf(from), i)))
    expect(await inFlight()).toBe(ceiling)
  })
})
