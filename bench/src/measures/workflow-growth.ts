import { openDriver } from '@troupe/storage/testing'
import type { LoadResult } from '../load/closed-loop.ts'
import { median, spread } from '../load/statistics.ts'
import { WORKFLOWS } from '../targets/measured-workflows.ts'
import { dataFolder, startTroupe } from '../targets/troupe.ts'
import { troupeTarget, type WorkflowTarget } from '../targets/workflow-targets.ts'

const ROUNDS = 7
const ROUND_MS = 2_000
const CALLERS = [1, 32]
/** Ended runs, each with four node rows. */
const ENDED_RUNS = 1_000_000
const CHUNK = 100_000
const NO_MODEL = 'http://127.0.0.1:9/v1'

/** A database with few runs and one with many; medians of the rounds, times in milliseconds. */
export interface GrowthRow {
  callers: number
  endedRuns: number
  runsPerSecond: number
  range: [number, number]
  p50: number
  p99: number
  /** Median over the rounds of the p50 here relative to that of the empty database in the same round. */
  timesSlower: number
}

/** The same tenant, workflow and version as the measured runs, spread over the last 29 days. */
const ENDED = `
with source as (
  select w.organization_id, w.id as workflow_id, d.id as deployment_id, d.version_id
  from workflows w join workflow_deployments d on d.id = w.active_deployment_id where w.id = $1::uuid
), run as (
  insert into workflow_runs (id, organization_id, workflow_id, deployment_id, version_id, source, status, input, variables,
    output, created_at, started_at, completed_at)
  select gen_random_uuid(), s.organization_id, s.workflow_id, s.deployment_id, s.version_id, 'api_sync', 'completed',
    '{"amount":25}', '{}', '{"amount":"The amount is 25."}', t.at, t.at, t.at + interval '3 ms'
  from source s, generate_series(1, ${CHUNK}) n,
    lateral (select now() - (n + $2::int) * interval '29 days' / ${ENDED_RUNS} as at) t
  returning id, organization_id, created_at
)
insert into workflow_node_runs (run_id, organization_id, path, node_id, status, handles, output, seq, started_at,
  completed_at)
select run.id, run.organization_id, '', node.id, 'completed', '{out}', '{"amount":25}', node.seq, run.created_at,
  run.created_at
from run, (values ('start', 1), ('order', 2), ('large', 3), ('answer', 4)) node (id, seq)`

async function fill(url: string, workflowId: string): Promise<void> {
  await using driver = await openDriver({ kind: 'postgres', url, poolSize: 1, replicas: true })
  for (let done = 0; done < ENDED_RUNS; done += CHUNK) await driver.execute(ENDED, [workflowId, done])
  // Vacuums as autovacuum would have done by this table size; the throw-away server has it disabled.
  for (const table of ['workflow_runs', 'workflow_node_runs']) {
    await driver.execute(`vacuum (analyze, freeze) ${table}`, [])
  }
  await driver.execute('checkpoint', [])
}

/** The smallest workflow on an empty database and on one with a million runs, in alternating rounds. */
export async function measureWorkflowGrowth(
  emptyUrl: string,
  fullUrl: string,
  onProgress: (line: string) => void,
): Promise<GrowthRow[]> {
  await using stack = new AsyncDisposableStack()
  const [workflow] = WORKFLOWS
  if (!workflow) throw new Error('there is no workflow to measure')
  const open = async (name: string, databaseUrl: string) => {
    const { path: folder } = stack.use(await dataFolder())
    return troupeTarget(name, stack.use(await startTroupe({ folder, modelUrl: NO_MODEL, databaseUrl })))
  }
  const empty = await open('empty', emptyUrl)
  const full = await open('full', fullUrl)
  const before = performance.now()
  await fill(fullUrl, workflow.id)
  onProgress(`${ENDED_RUNS} runs were written in ${((performance.now() - before) / 1000).toFixed(0)} s`)
  const measured: { target: WorkflowTarget; endedRuns: number }[] = [
    { target: empty, endedRuns: 0 },
    { target: full, endedRuns: ENDED_RUNS },
  ]
  const rows: GrowthRow[] = []
  for (const callers of CALLERS) {
    const rounds = measured.map((): LoadResult[] => [])
    for (const { target } of measured) await target.load(workflow, callers, ROUND_MS)
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, { target }] of measured.entries()) {
        rounds[at]?.push(await target.load(workflow, callers, ROUND_MS))
      }
    }
    for (const [at, { endedRuns }] of measured.entries()) {
      const seen = rounds[at] ?? []
      const rates = seen.map(({ requestsPerSecond }) => requestsPerSecond)
      rows.push({
        callers,
        endedRuns,
        runsPerSecond: median(rates),
        range: spread(rates),
        p50: median(seen.map(({ p50 }) => p50)),
        p99: median(seen.map(({ p99 }) => p99)),
        timesSlower: median(seen.map(({ p50 }, round) => p50 / (rounds[0]?.[round]?.p50 ?? p50))),
      })
    }
  }
  return rows
}
