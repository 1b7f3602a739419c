import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database } from '@troupe/database'
import { ActiveRuns, AgentRunner, RunSweeper } from '@troupe/runtime'
import type { AgentCatalog, ChatModels, RunTelemetry } from '@troupe/runtime/ports'
import type { Clock } from '../clock.ts'

/** The longest that a synchronous caller waits, in seconds (contract, section 8). */
const SYNC_SECONDS = 30

/** What runs are made of. */
export interface RunParts {
  database: Database
  catalog: AgentCatalog
  chatModels: ChatModels
  telemetry: RunTelemetry
  clock: Clock
  newId: () => string
  /** `TROUPE_RUN_MAX_SECONDS`. */
  maxSeconds: number
}

/** Running agents in this process. Disposing aborts what still runs and waits for its rows. */
export interface Runs extends AsyncDisposable {
  runner: AgentRunner
  active: ActiveRuns
  sweeper: RunSweeper
}

/** Wires the runtime's run machinery to this process. */
export function createRuns({
  database,
  catalog,
  chatModels,
  telemetry,
  clock,
  newId,
  maxSeconds,
}: RunParts): Runs {
  const store = database.runs
  const now = () => clock.now()
  const workerId = `${hostname()}:${process.pid}:${randomUUID()}`
  const active = new ActiveRuns({ store, signals: database.signals, telemetry, workerId })
  const sweeper = new RunSweeper({ store, telemetry, now, renewOwn: () => active.renew() })
  const runner = new AgentRunner({
    catalog,
    models: chatModels,
    store,
    signals: database.signals,
    telemetry,
    active,
    now,
    newId,
    workerId,
    maxSeconds,
    syncSeconds: SYNC_SECONDS,
  })
  return {
    runner,
    active,
    sweeper,
    async [Symbol.asyncDispose]() {
      sweeper[Symbol.dispose]()
      await active[Symbol.asyncDispose]()
    },
  }
}
