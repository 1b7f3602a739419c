import type { RunId } from '@troupe/contract'
import { TurnWorker } from '@troupe/durable-work'
import type { ClaimedJob } from '../../ports/job-store.ts'
import type { RunDependencies } from '../../run/dependencies.ts'
import { JobLane } from '../job-lane.ts'

/** A process's worker of jobs. */
export function jobWorker(deps: RunDependencies, turnMs?: number): TurnWorker<RunId, ClaimedJob> {
  return new TurnWorker(new JobLane(deps, turnMs), deps)
}
