import type { Scope } from '@troupe/agents/ports'
import { AnyRunId, type IdText, parseId, type ResultOf } from '@troupe/contract'
import type { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Delivery } from '@troupe/durable-work'
import type { Database, RunHead, Transaction } from '@troupe/storage'
import type { RunScope } from '@troupe/workflows/ports'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { wrongRunStatus } from '../workflow-runs/wrong-run-status.ts'
import { auditedRun } from './audited-run.ts'
import { observedRunNotFound, onlyWorkflows } from './run-errors.ts'

/** Dependencies of changes of runs. */
export interface ChangeRunParts {
  database: Pick<Database, 'observed' | 'transaction'>
  /** Sends a delivery of a workflow run to the engine without waiting for it. */
  send: (delivery: Delivery) => void
  /** Milliseconds since the epoch. */
  now: () => number
}

type ChangedRun = ResultOf<(typeof BUILDER_OPERATIONS)['cancelRun']>

/** A run is found only under its own kind. */
function scopeOf({ organizationId, projectId }: Scope, { isTest }: RunHead): RunScope {
  return { organizationId, projectId, isTest }
}

async function found(
  { observed }: Pick<Database, 'observed'>,
  { organizationId }: Scope,
  runId: IdText<AnyRunId>,
): Promise<RunHead> {
  const id = parseId(AnyRunId, runId)
  const run = id && (await observed.runHead(organizationId, id))
  if (!run) throw observedRunNotFound()
  return run
}

/** The outcome of a change of a run; `changed` is false if it was already in that state. */
interface Change {
  changed: boolean
  status: ChangedRun['status']
}

/** Changes a run and writes the audit row in the same transaction; an unchanged run has no row. */
async function changeAudited(
  { database }: ChangeRunParts,
  caller: BuilderCaller,
  run: RunHead,
  verb: 'cancelled' | 'paused' | 'resumed',
  change: (tx: Transaction) => Promise<Change | null>,
): Promise<ChangedRun> {
  return database.transaction(async (tx) => {
    const outcome = await change(tx)
    if (!outcome) throw observedRunNotFound()
    const { changed, status } = outcome
    if (changed) await tx.write.audit.append(auditedRun(caller, run, verb, { status }))
    return { runId: run.runId, status }
  })
}

/**
 * Cancels a run in flight, whichever process executes it. A run that has ended keeps its status.
 *
 * @throws DomainError `run_not_found`
 */
export async function cancelObservedRun(
  parts: ChangeRunParts,
  caller: BuilderCaller,
  runId: IdText<AnyRunId>,
): Promise<ChangedRun> {
  const run = await found(parts.database, caller, runId)
  return changeAudited(parts, caller, run, 'cancelled', async ({ runs, workflowRuns }) => {
    const outcome =
      run.kind === 'workflow'
        ? await workflowRuns.cancel(scopeOf(caller, run), run.runId)
        : await runs.cancel(caller, {
            kind: run.kind,
            entityId: run.entityId,
            runId: run.runId,
            isPlayground: run.isTest,
          })
    return outcome && { changed: outcome.cancelled, status: outcome.status }
  })
}

/** Pauses a workflow run. @throws DomainError `run_not_found`, `invalid_state` */
export async function pauseObservedRun(
  parts: ChangeRunParts,
  caller: BuilderCaller,
  runId: IdText<AnyRunId>,
): Promise<ChangedRun> {
  const run = await found(parts.database, caller, runId)
  if (run.kind !== 'workflow') throw onlyWorkflows('paused')
  return changeAudited(parts, caller, run, 'paused', async ({ workflowRuns }) => {
    const outcome = await workflowRuns.pause(scopeOf(caller, run), run.runId)
    if (outcome && !outcome.paused && outcome.status !== 'paused') {
      throw wrongRunStatus('paused', outcome.status)
    }
    return outcome && { changed: outcome.paused, status: outcome.status }
  })
}

/** Resumes a paused workflow run. @throws DomainError `run_not_found`, `invalid_state` */
export async function resumeObservedRun(
  parts: ChangeRunParts,
  caller: BuilderCaller,
  runId: IdText<AnyRunId>,
): Promise<ChangedRun> {
  const run = await found(parts.database, caller, runId)
  if (run.kind !== 'workflow') throw onlyWorkflows('resumed')
  const deliveries: Delivery[] = []
  const resumed = await changeAudited(parts, caller, run, 'resumed', async ({ workflowRuns }) => {
    const outcome = await workflowRuns.resume(scopeOf(caller, run), run.runId)
    if (outcome && !outcome.resumed) throw wrongRunStatus('resumed', outcome.status)
    if (outcome?.delivery) deliveries.push(outcome.delivery)
    return outcome && { changed: true, status: outcome.status }
  })
  // After the commit: a turn that started earlier would find the run paused.
  for (const delivery of deliveries) parts.send(delivery)
  return resumed
}
