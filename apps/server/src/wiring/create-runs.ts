import type { AnyId } from '@troupe/contract'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import {
  ActiveRuns,
  ChildRuns,
  JobWorker,
  type RunDependencies,
  Runner,
  RunSweeper,
  sweepJobs,
} from '@troupe/agents'
import type { AgentCatalog, ChatModels, Clock, RunEngine, RunTelemetry } from '@troupe/agents/ports'
import type { Database } from '@troupe/database'

/** The longest that a synchronous caller waits, in seconds (contract, section 8). */
const SYNC_SECONDS = 30

/** What runs are made of. */
export interface RunParts {
  database: Database
  catalog: AgentCatalog
  chatModels: ChatModels
  engine: RunEngine
  telemetry: RunTelemetry
  clock: Clock
  newId: () => AnyId
  /** `TROUPE_RUN_MAX_SECONDS`. */
  maxSeconds: number
  /** `TROUPE_JOB_QUEUE_SECONDS`: how long a job may wait for a worker. */
  jobQueueSeconds: number
}

/** Running agents and teams in this process. Disposing aborts what still runs and waits for its rows. */
export interface Runs extends AsyncDisposable {
  runner: Runner
  /** Takes the engine's deliveries. */
  worker: JobWorker
  /** Runs agents and teams for nodes of workflows. */
  children: ChildRuns
  /** What runs are made of; workflows share it. */
  deps: RunDependencies
  active: ActiveRuns
  sweeper: RunSweeper
}

/** Wires the runtime's run machinery to this process. */
export function createRuns(parts: RunParts): Runs {
  const { database, catalog, chatModels, engine, telemetry, clock, newId, maxSeconds } = parts
  const store = database.runs
  const now = () => clock.now()
  const workerId = `${hostname()}:${process.pid}:${randomUUID()}`
  const active = new ActiveRuns({ store, signals: database.signals, telemetry, workerId })
  const deps: RunDependencies = {
    catalog,
    models: chatModels,
    store,
    jobs: database.jobs,
    engine,
    signals: database.signals,
    telemetry,
    active,
    now,
    newId,
    workerId,
    maxSeconds,
    syncSeconds: SYNC_SECONDS,
  }
  const sweeper = new RunSweeper({
    store,
    telemetry,
    now,
    renewOwn: () => active.renew(),
  })
  sweeper.add('turn', 'due jobs', () => sweepJobs(deps, parts.jobQueueSeconds))
  const worker = new JobWorker(deps)
  return {
    runner: new Runner(deps),
    worker,
    children: new ChildRuns(deps, worker),
    deps,
    active,
    sweeper,
    async [Symbol.asyncDispose]() {
      sweeper[Symbol.dispose]()
      await active[Symbol.asyncDispose]()
    },
  }
}
