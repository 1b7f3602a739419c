import { randomUUID } from 'node:crypto'
import type { SqlClient, SqlDriver } from '../../src/sql/client/sql-client.ts'
import { workflowRunStore } from '../../src/workflow-runs/store.ts'
import { type Publisher, startOf } from './workflow-builders.ts'

const COLUMNS = `id, organization_id, workflow_id, deployment_id, version_id, source, status, input, variables, api_key_id,
  created_at, started_at`

function runs({ tenant, workflow, versionId }: Publisher, status: string): string {
  return `select gen_random_uuid(), '${tenant.organizationId}'::uuid, '${workflow.id}'::uuid, gen_random_uuid(),
    '${versionId}'::uuid, 'api_async', '${status}', '{}'::json, '{}'::json, '${tenant.apiKeyId}'::uuid, now(), now()`
}

/** Ended runs of a workflow. */
export async function endedRuns(driver: SqlDriver, from: Publisher, count: number): Promise<void> {
  await driver.script(`insert into workflow_runs (${COLUMNS}, completed_at)
    ${runs(from, 'completed')}, now() from generate_series(1, ${count});`)
}

/** A hundred runs start and end: their dead entries in the indexes remain. */
export async function passingRuns(driver: SqlDriver, from: Publisher): Promise<void> {
  await driver.script(`insert into workflow_runs (${COLUMNS}) ${runs(from, 'running')} from generate_series(1, 100);
    update workflow_runs set status = 'completed', completed_at = now()
      where organization_id = '${from.tenant.organizationId}' and status = 'running';`)
}

/**
 * The pages that one start touches, as the minimum over several starts. A plan does not show the inside of a function,
 * hence the statistics. A call that replans its statements also reads the catalogue, and changes in other databases of
 * the server can cause that.
 */
export async function pagesOfStart(driver: SqlDriver, from: Publisher): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  const measuring: SqlClient = {
    ...driver,
    async query<Row>({ text }: { text: string }, values: Parameters<SqlClient['query']>[1]) {
      const [row] = await driver.execute(`explain (analyze, buffers, format json) ${text}`, values)
      const [{ Plan }] = row?.[0] as [{ Plan: Record<string, number> }]
      least = Math.min(least, (Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0))
      return [{ outcome: { kind: 'accepted' } }] as Row[]
    },
  }
  for (let i = 0; i < 12; i += 1) {
    const idempotency = { path: '/run', key: randomUUID(), bodyHash: 'h' }
    await workflowRunStore(measuring, { alone: true }).accept(startOf(from, { idempotency }))
  }
  return least
}
