import type { AcceptOutcome, NewWorkflowRun, WorkflowRunStore } from '@troupe/workflows/ports'
import type { SqlClient } from '../sql/sql-client.ts'
import { storableJson, storableText } from '../sql/storable.ts'

/** The decision is a function of the database: see the migration that creates it for what it locks and why. */
const ACCEPT_RUN = {
  name: 'accept_workflow_run',
  text: `
select accept_run($1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::text, $6::text, $7::json, $8::uuid, $9::text, $10::text,
  $11::float8, $12::timestamptz, $13::text, $14::text, $15::text, $16::boolean, $17::timestamptz, $18::uuid) as outcome`,
}

/** `crowded`: the next start of the organization must come alone as well. */
type Answer = (AcceptOutcome & { crowded?: boolean }) | { kind: 'retry_exclusive' }

/**
 * Starts of an organization that is near its ceiling, or has a budget, must come one by one. Which organizations are so
 * is remembered, so that they too cost one round trip; a start that guesses wrong is told, and comes again.
 *
 * @param alone Whether statements never run side by side, so that coming alone costs nothing.
 */
export function acceptRun(client: SqlClient, alone: boolean): WorkflowRunStore['accept'] {
  const crowded = new Set<string>()

  const ask = async (run: NewWorkflowRun, exclusive: boolean): Promise<Answer> => {
    const { scope, claim, idempotency } = run
    const [row] = await client.query<{ outcome: Answer }>(ACCEPT_RUN, [
      run.runId,
      scope.organizationId,
      scope.projectId,
      run.workflowId,
      run.source,
      run.firedNodeId,
      storableJson(run.input ?? null),
      run.apiKeyId,
      run.waiter,
      claim?.workerId ?? null,
      claim?.leaseSeconds ?? null,
      new Date(run.createdAt).toISOString(),
      idempotency?.path ?? null,
      idempotency ? storableText(idempotency.key) : null,
      idempotency?.bodyHash ?? null,
      exclusive,
      run.scheduledFor === null ? null : new Date(run.scheduledFor).toISOString(),
      run.startedByUserId,
    ])
    if (!row) throw new Error('accept_run gave no answer.')
    return row.outcome
  }

  return async (run) => {
    const { organizationId } = run.scope
    let answer = await ask(run, alone || crowded.has(organizationId))
    if (answer.kind === 'retry_exclusive') answer = await ask(run, true)
    if (answer.kind === 'retry_exclusive') throw new Error('accept_run was asked for one by one already.')
    const { crowded: isCrowded, ...outcome } = answer
    if (isCrowded === true) crowded.add(organizationId)
    if (isCrowded === false) crowded.delete(organizationId)
    return outcome as AcceptOutcome
  }
}
