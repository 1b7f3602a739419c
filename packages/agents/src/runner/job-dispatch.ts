import type { JobPatience } from '../ports/job-store.ts'
import { type Delivery, EngineUnreachable } from '../ports/run-engine.ts'
import type { RunDependencies } from '../run/dependencies.ts'

/** Seconds until a delivery that an engine took and nobody claimed is handed in again. */
const REDELIVER_SECONDS = 30
const DISPATCH_SECONDS = 60

/** How long jobs may wait, with the deployment's own limit of waiting for a worker. */
function jobPatience(queueSeconds: number): JobPatience {
  return { dispatchSeconds: DISPATCH_SECONDS, queueSeconds, redeliverSeconds: REDELIVER_SECONDS }
}

/**
 * Hands a delivery to the engine and notes that it has it. Never throws: what fails stays due in the row, and the
 * sweeper sends it again. Between the two writes another process may send the same delivery; the engine and the claim
 * tell them apart by the slice.
 */
export async function sendDelivery(
  { engine, jobs, telemetry }: Pick<RunDependencies, 'engine' | 'jobs' | 'telemetry'>,
  delivery: Delivery,
): Promise<void> {
  try {
    await engine.dispatch(delivery)
    await jobs.dispatched(delivery, REDELIVER_SECONDS)
  } catch (error) {
    const task = error instanceof EngineUnreachable ? 'dispatch: engine unreachable' : 'dispatch'
    telemetry.backgroundFailed(task, error)
  }
}

/**
 * One turn of the jobs' watchdog: ends what waited too long and hands in what is due, each delivery by one process.
 * Throws only when the database fails.
 */
export async function sweepJobs(
  deps: Pick<RunDependencies, 'engine' | 'jobs' | 'telemetry'>,
  queueSeconds: number,
): Promise<void> {
  const due = await deps.jobs.sweep(jobPatience(queueSeconds))
  await Promise.all(due.map((delivery) => sendDelivery(deps, delivery)))
}
