import type { JobPatience } from '@troupe/agents/ports'
import { type Delivery, EngineUnreachable } from '@troupe/agents/ports'
import type { WorkflowDependencies } from '../slice/dependencies.ts'

/** Seconds until a delivery that an engine took and nobody claimed is handed in again. */
const REDELIVER_SECONDS = 30
const DISPATCH_SECONDS = 60

type Parts = Pick<WorkflowDependencies, 'engine' | 'store' | 'telemetry'>

/**
 * Hands a delivery to the engine, to be taken at once or not before `dueAt` (milliseconds since the epoch), and notes that
 * it has it. Never throws: what fails stays due in the row.
 */
export async function sendWorkflowDelivery(
  { engine, store, telemetry }: Parts,
  delivery: Delivery,
  dueAt = 0,
): Promise<void> {
  try {
    await engine.dispatch(delivery, { dueAt })
    await store.dispatched(delivery, REDELIVER_SECONDS)
  } catch (error) {
    const task = error instanceof EngineUnreachable ? 'dispatch: engine unreachable' : 'dispatch'
    telemetry.backgroundFailed(task, error)
  }
}

/** Lets runs go on whose budgets have room again. Throws only when the database fails. */
export async function resumeRunsWithinBudget(deps: Parts): Promise<void> {
  const due = await deps.store.resumeWithinBudget()
  await Promise.all(due.map((delivery) => sendWorkflowDelivery(deps, delivery)))
}

/**
 * One turn of the watchdog of workflow runs, and of what runs of agents and teams they left behind. Throws only when the
 * database fails.
 */
export async function sweepWorkflowRuns(deps: Parts, queueSeconds: number): Promise<void> {
  const patience: JobPatience = {
    dispatchSeconds: DISPATCH_SECONDS,
    queueSeconds,
    redeliverSeconds: REDELIVER_SECONDS,
  }
  const due = await deps.store.sweep(patience)
  await Promise.all(due.map((delivery) => sendWorkflowDelivery(deps, delivery)))
  await deps.store.endOrphans()
}
