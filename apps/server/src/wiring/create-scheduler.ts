import type { AnyId } from '@troupe/contract'
import type { RunSweeper } from '@troupe/agents'
import type { Clock } from '@troupe/agents/ports'
import type { Database } from '@troupe/database'
import { Scheduler } from '@troupe/operations/schedules/scheduler'
import type { Logger } from 'pino'
import type { Workflows } from './create-workflows.ts'

/** How long the ledger is kept. */
const LEDGER_MS = 30 * 24 * 60 * 60_000

/** What the scheduler of this process is made of. */
export interface ScheduleParts {
  database: Pick<Database, 'schedules'>
  workflows: Pick<Workflows, 'deliver'>
  sweeper: RunSweeper
  clock: Clock
  newId: () => AnyId
  log: Logger
}

/** Wires the scheduler to this process. It fires nothing until it is started. */
export function createScheduler({
  database,
  workflows,
  sweeper,
  clock,
  newId,
  log,
}: ScheduleParts): Scheduler {
  const store = database.schedules
  sweeper.add('retention', 'fires of schedules', () => store.sweepExpired(clock.now() - LEDGER_MS))
  return new Scheduler({
    store,
    deliver: (delivery) => workflows.deliver(delivery),
    newId,
    now: () => clock.now(),
    log,
  })
}
