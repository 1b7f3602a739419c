import { startRestateServer } from '@troupe/engine/testing'
import { startRedis } from '@troupe/rate-limits/testing/redis-process'
import { freePort } from '@troupe/test-kit/free-port'
import { processorMs } from '../load/processor-time.ts'
import { median, spread } from '../load/statistics.ts'
import { type MeasuredWorkflow, WORKFLOWS } from '../targets/measured-workflows.ts'
import { dataFolder, startTroupe } from '../targets/troupe.ts'
import { startFloor, troupeTarget, type WorkflowTarget } from '../targets/workflow-targets.ts'

const ROUNDS = 3
const ROUND_MS = 1_000
const CALLERS = [1, 32]
/** The measured workflows never call a model. */
const NO_MODEL = 'http://127.0.0.1:9/v1'

/** Medians of one target, workflow and number of callers; times in milliseconds. */
export interface WorkflowRow {
  workflow: string
  callers: number
  target: string
  runsPerSecond: number
  /** Slowest and fastest round. */
  range: [number, number]
  p50: number
  p99: number
  /** Median over the rounds of this target's rate relative to the bare statements of the same round. */
  ofFloor: number
  /** The same relative to the statements behind a bare route: the minimum cost of any server. */
  ofRoute: number
  /** CPU time of the target's process per run, excluding the database unless it is embedded. */
  processorMs: number
  /** CPU time of the load generator per run: it must stay far below one core. */
  generatorMs: number
}

interface Round {
  rate: number
  p50: number
  p99: number
  processorMs: number
  generatorMs: number
}

async function measureRound(
  { pid, load }: WorkflowTarget,
  workflow: MeasuredWorkflow,
  callers: number,
): Promise<Round> {
  const before = { target: await processorMs(pid), generator: process.cpuUsage() }
  const { requestsPerSecond: rate, p50, p99, requests } = await load(workflow, callers, ROUND_MS)
  const { user, system } = process.cpuUsage(before.generator)
  const used = (await processorMs(pid)) - before.target
  return { rate, p50, p99, processorMs: used / requests, generatorMs: (user + system) / 1000 / requests }
}

/** The indexes of the floor and its route among the targets. */
const FLOOR = 0
const ROUTE = 1

/** Every round runs all targets in turn, so that drift of the machine affects all alike. */
async function measureTargets(
  targets: readonly WorkflowTarget[],
  workflow: MeasuredWorkflow,
  callers: number,
): Promise<WorkflowRow[]> {
  for (const { load } of targets) await load(workflow, callers, ROUND_MS / 2)
  const rounds: Round[][] = targets.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, target] of targets.entries()) {
      rounds[at]?.push(await measureRound(target, workflow, callers))
    }
  }
  const against = (base: number, rates: readonly number[]) =>
    median(rates.map((rate, round) => rate / (rounds[base]?.[round]?.rate ?? rate)))
  return targets.map(({ name }, at) => {
    const seen = rounds[at] ?? []
    const rates = seen.map(({ rate }) => rate)
    return {
      workflow: workflow.name,
      callers,
      target: name,
      runsPerSecond: median(rates),
      range: spread(rates),
      p50: median(seen.map(({ p50 }) => p50)),
      p99: median(seen.map(({ p99 }) => p99)),
      ofFloor: against(FLOOR, rates),
      ofRoute: against(ROUTE, rates),
      processorMs: median(seen.map((one) => one.processorMs)),
      generatorMs: median(seen.map((one) => one.generatorMs)),
    }
  })
}

/** The databases of one kind: one for `local` and the floor, one shared by the processes that use Restate. */
export type WorkflowDatabases = readonly [string, string] | null

/** Runs the workflows through every engine, and the bare statements that such a run must commit. */
export async function measureWorkflowRuns(databases: WorkflowDatabases): Promise<WorkflowRow[]> {
  await using stack = new AsyncDisposableStack()
  const [localUrl = null, restateUrl = null] = databases ?? []
  const open = async (name: string, databaseUrl: string | null, env: Record<string, string>) => {
    const { path: folder } = stack.use(await dataFolder())
    return troupeTarget(name, stack.use(await startTroupe({ folder, modelUrl: NO_MODEL, databaseUrl, env })))
  }
  const bare = stack.use(await dataFolder())
  const floor = stack.use(await startFloor(localUrl ? `postgres:${localUrl}` : `pglite:${bare.path}/bare`))
  const targets = [floor.statements, floor.route, await open('Troupe, local', localUrl, {})]
  if (restateUrl) {
    const restate = await startRestateServer()
    const redis = await startRedis()
    if (restate) stack.use(restate)
    if (redis) stack.use(redis)
    if (restate && redis) {
      const env = {
        TROUPE_SECRET_KEY: `bench:${Buffer.alloc(32, 1).toString('base64')}`,
        REDIS_URL: redis.url,
        RESTATE_INGRESS_URL: restate.ingressUrl,
        RESTATE_ADMIN_URL: restate.adminUrl,
        RESTATE_WORKER_PORT: String(await freePort()),
      }
      targets.push(await open('Troupe, Restate', restateUrl, env))
    }
  }
  // Warm-up: code that is new to a process is slow, whichever workflow runs it.
  for (const { load } of targets) for (const workflow of WORKFLOWS) await load(workflow, 8, ROUND_MS / 2)
  const rows: WorkflowRow[] = []
  for (const workflow of WORKFLOWS) {
    for (const callers of CALLERS) rows.push(...(await measureTargets(targets, workflow, callers)))
  }
  return rows
}
