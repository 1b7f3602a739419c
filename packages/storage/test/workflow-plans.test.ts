import { checkedId, WorkflowRunId } from '@troupe/contract'
import { testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/database.ts'
import { openDatabase } from '../src/open-database.ts'
import type { SqlClient, SqlDriver } from '../src/sql/client/sql-client.ts'
import { openPool } from '../src/sql/postgres/pool-driver.ts'
import { drizzleOver } from '../src/tables/drizzle/drizzle.ts'
import { readTrace } from '../src/workflow-runs/claim-run.ts'
import { workflowRunStore } from '../src/workflow-runs/store.ts'
import { workflowReader } from '../src/workflows/reader.ts'
import {
  commit,
  DONE,
  nodeRun,
  type Publisher,
  publisher,
  RUNNING,
  runningNode,
  WAITING,
  yielded,
} from './contract/workflow-builders.ts'
import { endedRuns, pagesOfStart } from './contract/workflow-load.ts'
import { migrateUrl } from './migrate-url.ts'
import { type PlanNode, type Touched, touched } from './plan-nodes.ts'

const ENDED = 100_000
const IN_FLIGHT = 100
/** More than any statement may touch per plan node, far less than a scan would. */
const TOUCHED = 200

const postgres = await testPostgres(migrateUrl)

describe.skipIf(!postgres)(`with ${ENDED} ended runs of one workflow`, () => {
  const owned = new AsyncDisposableStack()
  let database: Database
  let driver: SqlDriver
  let from: Publisher
  let worst: Touched[] = []

  /** Executes each statement under EXPLAIN ANALYZE and returns no rows. */
  const explain = async (text: string, values: Parameters<SqlClient['execute']>[1]) => {
    const [row] = await driver.execute(`explain (analyze, format json) ${text}`, values)
    const [{ Plan }] = row?.[0] as [{ Plan: PlanNode }]
    worst = [...worst, ...touched(Plan)].toSorted((a, b) => b.rows - a.rows)
    return []
  }
  const explaining: SqlClient = { query: ({ text }, values) => explain(text, values), execute: explain }

  beforeAll(async () => {
    if (!postgres) return
    owned.use(postgres)
    const { url } = owned.use(await postgres.createDatabase())
    driver = owned.use(openPool({ url, size: 2, onError: () => {} }))
    database = owned.use(await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: false }))
    from = await publisher(database, { ceiling: 1_000 })
    await endedRuns(driver, from, ENDED)
    const { organizationId } = from.tenant
    await driver.script(`
      insert into workflow_runs (id, organization_id, workflow_id, deployment_id, version_id, source, status, input,
          variables, worker_id, lease_until, created_at, started_at)
        select gen_random_uuid(), organization_id, workflow_id, deployment_id, version_id, source, 'running', input,
          variables, 'w', now() + interval '1 day', now(), now()
        from workflow_runs where organization_id = '${organizationId}' limit ${IN_FLIGHT};
      insert into workflow_node_runs (run_id, path, node_id, organization_id, status, seq)
        select id, '', 'n' || n, organization_id, 'completed', n from workflow_runs, generate_series(1, 2) n;
      insert into workflow_iterations (run_id, path, node_id, idx, organization_id, output)
        select id, '', 'l', 0, organization_id, '1' from workflow_runs;
      insert into workflows (id, organization_id, name, draft, draft_hash, draft_triggers, draft_revision, version_number, created_at)
        select gen_random_uuid(), '${organizationId}', 'W', '{}', 0, '{}', 1, 0, now() - n * interval '1 second'
        from generate_series(1, 20000) n;
      insert into idempotency_keys (api_key_id, path, key, organization_id, body_hash, workflow_run_id, created_at)
        select '${from.tenant.apiKeyId}', '/run', id::text, organization_id, 'h', id, now() from workflow_runs;
      analyze;`)
  }, 120_000)
  afterAll(() => owned.disposeAsync())

  const expectFew = async (work: () => Promise<unknown>, ran = 1) => {
    worst = []
    await work()
    expect(worst.length).toBeGreaterThanOrEqual(ran)
    expect(worst[0]?.rows, JSON.stringify(worst.slice(0, 3))).toBeLessThan(TOUCHED)
  }

  it('no statement of a run reads more than the runs in flight', async () => {
    const runs = workflowRunStore(explaining, { alone: false })
    const db = { workflowRuns: runs } as Database
    const { scope, organizationId } = from.tenant
    const ids = async (where: string) => {
      const [row] = await driver.execute(`select id from workflow_runs where ${where} limit 1`, [])
      return checkedId(WorkflowRunId, String(row?.[0]))
    }
    for (const runId of [await ids("status = 'completed'"), await ids("status = 'running'")]) {
      const fence = { runId, workerId: 'w', slice: 0 }
      const rows = {
        nodeRuns: [nodeRun('n1'), nodeRun('n9')],
        iterations: [{ path: '', nodeId: 'l', index: 0, output: 2 }],
      }
      await expectFew(() => runs.claim({ runId, slice: 0 }, 'w', 30), 2)
      await expectFew(() => readTrace(explaining, runId))
      await expectFew(() => runs.reload(fence))
      await expectFew(() => runs.renewLeases('w', [runId], 30))
      await expectFew(() => runs.ended('w', [runId]))
      await expectFew(() => runs.dispatched({ runId, slice: 0 }, 60))
      await expectFew(() => runs.find(scope, runId))
      await expectFew(() => runs.nodes(scope, runId, { page: 1, limit: 100 }))
      for (const to of [{ status: 'running' } as const, WAITING, yielded(), DONE]) {
        await expectFew(() => commit(db, { fence, organizationId }, to, rows))
      }
      await expectFew(() => commit(db, { fence, organizationId }, RUNNING, { starting: [runningNode('n9')] }))
      await expectFew(() => runs.pause(scope, runId))
      await expectFew(() => runs.resume(scope, runId))
      await expectFew(() => runs.failDispatch(runId, 'x'))
      await expectFew(() => runs.settleCancelled(fence, rows.nodeRuns))
      await expectFew(() => runs.cancel(scope, runId))
    }
    await expectFew(() => runs.sweep({ dispatchSeconds: 60, queueSeconds: 60, redeliverSeconds: 60 }))
    await expectFew(() => runs.resumeWithinBudget(), 2)
    await expectFew(() => runs.recover())
    await expectFew(() => runs.endOrphans())
    await expectFew(() => runs.sweepExpired(1))
  })

  it('a page of workflows and of versions reads only that page', async () => {
    const { scope, organizationId } = from.tenant
    const page = { projectId: null, page: 1, limit: 20 }
    const first = (work: (client: SqlClient) => Promise<unknown>) => {
      let isFirst = true
      return work({
        ...explaining,
        async execute(text, values) {
          const rows = isFirst ? await explain(text, values) : []
          isFirst = false
          return rows
        },
      })
    }
    const reader = (client: SqlClient) => workflowReader(drizzleOver(client))
    await expectFew(() => first((client) => reader(client).page(scope, page)))
    await expectFew(() => first((client) => reader(client).versions(organizationId, from.workflow.id, page)))
    await expectFew(() =>
      first((client) => reader(client).deployments(organizationId, from.workflow.id, page)),
    )
    await expectFew(() => reader(explaining).byId(organizationId, from.workflow.id))
    await expectFew(() => reader(explaining).versionGraph(organizationId, from.versionId))
  })

  it('a start reads as much as when there were no runs', async () => {
    expect(await pagesOfStart(driver, from)).toBeLessThan(60)
  })
})
