import type { ClaimedJob, CommittedStep, NewRun, SessionKey } from '@troupe/agents/ports'
import type { TurnFence } from '@troupe/durable-work'
import type { Database } from '../../src/database.ts'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { runOn, sessionOf } from './run-builders.ts'
import type { Tenant } from './tenant.ts'

/** Longer than any test, for timeouts that must not occur in it. */
export const PATIENT = { dispatchSeconds: 3_600, queueSeconds: 3_600, redeliverSeconds: 60 }

/** The `tool_context` of every job here: an ended row may not keep one, so every way to end a job must erase it. */
export const SEALED_CONTEXT = 'k1.iv.tag.text'

/** A committed, unclaimed job. */
export async function jobOn(
  db: Database,
  tenant: Tenant,
  changes: Partial<NewRun> = {},
  session: SessionKey = sessionOf(tenant),
): Promise<NewRun> {
  const run = runOn(tenant, session, {
    source: 'api_async',
    toolContextSealed: SEALED_CONTEXT,
    ...changes,
  })
  await db.runs.start(run)
  return run
}

/** The job, claimed by this worker. A lease of -1 seconds has already expired, like that of a lost worker. */
export async function claimed(
  db: Database,
  run: NewRun,
  { workerId = 'w', slice = 0, leaseSeconds = 30 } = {},
): Promise<ClaimedJob> {
  const job = await db.jobs.claim({ runId: run.runId, slice }, workerId, leaseSeconds)
  if (!job) throw new Error('not claimed')
  return job
}

/** A step with this output. */
export function outputOf(output: unknown): CommittedStep['step'] {
  return { name: 'tool_call', version: 1, output }
}

export function stepOf(run: NewRun, fence: TurnFence, changes: Partial<CommittedStep> = {}): CommittedStep {
  return {
    runId: run.runId,
    fence,
    key: 'step',
    step: outputOf({}),
    usage: [],
    members: [],
    events: [],
    ...changes,
  }
}

/** One sweep; returns the due slice of this job, or null. */
export async function sweptSlice(
  db: Database,
  run: NewRun,
  patience: Partial<typeof PATIENT> = {},
): Promise<number | null> {
  const deliveries = await db.jobs.sweep({ ...PATIENT, ...patience })
  return deliveries.find((one) => one.runId === run.runId)?.slice ?? null
}

/** Moves the timestamps of one row back by seconds. */
export async function earlier(client: SqlClient, run: NewRun, seconds: number): Promise<void> {
  const text = `
    update runs set created_at = created_at - make_interval(secs => $2::int),
      dispatch_due_at = dispatch_due_at - make_interval(secs => $2::int),
      dispatched_at = dispatched_at - make_interval(secs => $2::int),
      lease_until = lease_until - make_interval(secs => $2::int),
      deadline_at = deadline_at - make_interval(secs => $2::int)
    where id = $1::uuid`
  await client.query({ name: 'turn_the_clock', text }, [run.runId, seconds])
}
