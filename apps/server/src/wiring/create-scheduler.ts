import type { Clock } from '@troupe/agents/ports'
import type { NewId } from '@troupe/contract'
import { Scheduler } from '@troupe/operations/schedules/scheduler'
import type { Database } from '@troupe/storage'
import type { StorageWatch } from '@troupe/telemetry/storage-watch'
import type { Logger } from 'pino'
import type { Workflows } from './create-workflows.ts'

/** Dependencies of the scheduler. */
export interface ScheduleParts {
  database: Pick<Database, 'schedules'>
  workflows: Pick<Workflows, 'deliver'>
  storage: Pick<StorageWatch, 'full'>
  clock: Clock
  newId: NewId
  log: Logger
}

/** Wires the scheduler to this process. It fires nothing until it is started. */
export function createScheduler({
  database,
  workflows,
  storage,
  clock,
  newId,
  log,
}: ScheduleParts): Scheduler {
  return new Scheduler({
    store: database.schedules,
    deliver: (delivery) => workflows.deliver(delivery),
    isPaused: () => storage.full,
    newId,
    now: () => clock.now(),
    log,
  })
}
