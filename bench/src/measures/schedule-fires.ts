import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseOptions } from '@troupe/storage'
import { openDriver } from '@troupe/storage/testing'
import { dataFolder, startTroupe } from '../targets/troupe.ts'

const ORGANIZATIONS = 100
const SCHEDULES_EACH = 100
const MINUTE_MS = 60_000
/** A start this close to the next minute would not be ready in time. */
const READY_MS = 10_000
/** How long the fires of a minute are observed: the target is 15 s. */
const LOOK_MS = 40_000
/** This measure calls no model. */
const NO_MODEL = 'http://127.0.0.1:9/v1'

/** The results of schedules due in the same second; times in milliseconds from that second on. */
export interface FireRow {
  due: number
  /** Planned times in the ledger for which a run was started. */
  fired: number
  /** Runs of that second: equal to the fires when none was lost or duplicated. */
  runs: number
  /** Until half of the runs, and until the last one, were dispatched to the engine or claimed by a worker. */
  halfMs: number
  lastMs: number
}

/** Organizations with one workflow that has only schedules, all due every minute. */
function bundle(): string {
  const schedules = Array.from({ length: SCHEDULES_EACH }, (_, at) => ({
    id: `every-${at + 1}`,
    type: 'recurrence',
    name: `Every minute ${at + 1}`,
    config: { mode: 'cron', cron: '* * * * *' },
  }))
  return JSON.stringify({
    apiVersion: 'troupe/v1',
    organizations: Array.from({ length: ORGANIZATIONS }, (_, at) => ({
      slug: `org-${at + 1}`,
      name: `Organization ${at + 1}`,
      limits: { concurrentRuns: 1_000 },
      workflows: [{ slug: 'clock', name: 'Clock', publish: true, graph: { nodes: schedules, edges: [] } }],
    })),
  })
}

const LOOK = {
  name: 'fires_of_a_second',
  text: `
with second as (select $1::timestamptz as due), runs as (
  select extract(epoch from coalesce(dispatched_at, started_at) - due) * 1000 as ms
  from second join workflow_runs on scheduled_for = due
)
select (select count(*) from second join schedule_fires on scheduled_for = due and outcome in ('fired', 'late')
    where execution_id is not null) as fired,
  (select count(*) from runs) as runs,
  coalesce((select percentile_cont(0.5) within group (order by ms) from runs), -1)::float8 as half,
  coalesce((select max(ms) from runs), -1)::float8 as last`,
}

/** 10,000 schedules that are due in the same second, fired by the real program. */
export async function measureScheduleFires(databaseUrl: string | null): Promise<FireRow> {
  await using folder = await dataFolder()
  let due: number
  {
    await using _ = await startTroupe({
      folder: folder.path,
      modelUrl: NO_MODEL,
      databaseUrl,
      bundle: bundle(),
    })
    const now = Date.now()
    due = Math.ceil((now + READY_MS) / MINUTE_MS) * MINUTE_MS
    await pause(due + LOOK_MS - now)
  }
  // Stopped first, because the embedded database allows only one process.
  const options: DatabaseOptions = databaseUrl
    ? { kind: 'postgres', url: databaseUrl, poolSize: 1, replicas: false }
    : { kind: 'pglite', directory: join(folder.path, 'data', 'database') }
  await using driver = await openDriver(options)
  const [row] = await driver.query<{ fired: number; runs: number; half: number; last: number }>(LOOK, [
    new Date(due).toISOString(),
  ])
  if (!row) throw new Error('nothing is known of the fires')
  const { fired, runs, half, last } = row
  return { due: ORGANIZATIONS * SCHEDULES_EACH, fired, runs, halfMs: half, lastMs: last }
}
