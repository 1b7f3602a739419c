import type { AcceptOutcome, NewWorkflowRun, WorkflowRunStore } from '@troupe/workflows/ports'
import { json } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson, storableText } from '../sql/client/storable.ts'
import { deleteSeeds, storedScope, writeSeeds } from './seeds.ts'

/** The database function `accept_run` decides; the migration that creates it documents its locks. */
const ACCEPT_RUN = statement<keyof ReturnType<typeof valuesOf>>(
  'accept_workflow_run',
  (p) => `
select accept_run(p_id => ${p.runId}::uuid, p_organization => ${p.organizationId}::uuid,
  p_key_project => ${p.projectId}::uuid,
  p_workflow => ${p.workflowId}::uuid, p_source => ${p.source}::text, p_fired_node => ${p.firedNodeId}::text,
  p_input => ${p.input}::json, p_api_key => ${p.apiKeyId}::uuid, p_waiter => ${p.waiter}::text,
  p_worker => ${p.workerId}::text, p_lease_seconds => ${p.leaseSeconds}::float8,
  p_created_at => ${p.createdAt}::timestamptz, p_path => ${p.path}::text, p_key => ${p.key}::text,
  p_body_hash => ${p.bodyHash}::text, p_exclusive => ${p.exclusive}::boolean,
  p_scheduled_for => ${p.scheduledFor}::timestamptz, p_started_by_user => ${p.startedByUserId}::uuid,
  p_version => ${p.versionId}::uuid, p_started_by_run => ${p.startedByRunId}::uuid,
  p_test_version => ${p.testVersionId}::uuid, p_test_scope => ${p.testScope}::json) as outcome`,
).returning({ outcome: json<Answer>() })

function valuesOf({ scope, claim, idempotency, test, ...run }: NewWorkflowRun, exclusive: boolean) {
  return {
    runId: run.runId,
    organizationId: scope.organizationId,
    projectId: scope.projectId,
    workflowId: run.workflowId,
    source: run.source,
    firedNodeId: run.firedNodeId,
    input: storableJson(run.input ?? null),
    apiKeyId: run.apiKeyId,
    waiter: run.waiter,
    workerId: claim?.workerId ?? null,
    leaseSeconds: claim?.leaseSeconds ?? null,
    createdAt: new Date(run.createdAt).toISOString(),
    path: idempotency?.path ?? null,
    key: idempotency ? storableText(idempotency.key) : null,
    bodyHash: idempotency?.bodyHash ?? null,
    exclusive,
    scheduledFor: run.scheduledFor === null ? null : new Date(run.scheduledFor).toISOString(),
    startedByUserId: run.startedByUserId,
    startedByRunId: run.startedByRunId ?? null,
    versionId: run.versionId,
    testVersionId: test?.versionId ?? null,
    testScope: test ? storedScope(test) : null,
  }
}

/** `crowded`: the organization's next start must also take the exclusive lock. */
type Answer = (AcceptOutcome & { crowded?: boolean }) | { kind: 'retry_exclusive' }

/**
 * Starts of an organization that is near its ceiling or has a budget must take the exclusive lock. These
 * organizations are remembered, so that they too cost one round trip; a wrong guess is retried with the
 * exclusive lock.
 *
 * A test is accepted only within a transaction. Its seeds can have 50 MB, so they are written before its row:
 * `accept_run` takes the organization's lock, and other starts would wait for the copy.
 *
 * @param alone Whether statements never run concurrently, so that the exclusive lock costs nothing.
 */
export function acceptRun(client: SqlClient, alone: boolean): WorkflowRunStore['accept'] {
  const crowded = new Set<string>()

  const ask = async (run: NewWorkflowRun, exclusive: boolean): Promise<Answer> => {
    const [row] = await client.query(...ACCEPT_RUN(valuesOf(run, exclusive)))
    if (!row) throw new Error('accept_run returned no row.')
    return row.outcome
  }

  return async (run) => {
    const { organizationId } = run.scope
    if (run.test) {
      const refused = await writeSeeds(client, { runId: run.runId, organizationId }, run.test.seeds)
      if (refused) {
        await deleteSeeds(client, run.runId)
        return { kind: refused }
      }
    }
    let answer = await ask(run, alone || crowded.has(organizationId))
    if (answer.kind === 'retry_exclusive') answer = await ask(run, true)
    if (answer.kind === 'retry_exclusive')
      throw new Error('accept_run was already called with the exclusive lock.')
    // The seeds of a refused start belong to no row, and those of a rejected run are never read.
    if (answer.kind !== 'accepted' && run.test) await deleteSeeds(client, run.runId)
    const { crowded: isCrowded, ...outcome } = answer
    if (isCrowded === true) crowded.add(organizationId)
    if (isCrowded === false) crowded.delete(organizationId)
    return outcome as AcceptOutcome
  }
}
