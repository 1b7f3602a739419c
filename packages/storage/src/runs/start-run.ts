import type { NewRun, RunStore, StartOutcome } from '@troupe/agents/ports'
import { newId, type RunId, SessionRowId } from '@troupe/contract'
import { nullable, number, text, uuid } from '../sql/client/columns.ts'
import { type SqlClient, SqlError } from '../sql/client/sql-client.ts'
import { type RowOf, statement } from '../sql/client/statement.ts'
import { storableJson, storableNullable, storableText } from '../sql/client/storable.ts'

/**
 * One statement: budgets → claim → session → run, each only if the previous one returned a row, so the order is fixed
 * and two starts cannot deadlock.
 *
 * - Two starts with one idempotency key: the second waits for the first to commit, then its DO UPDATE keeps the values
 *   (only a claim older than 24 hours is taken over) and RETURNING shows the first one's run. Nothing else is written.
 * - Two starts on one new session: the second waits, then takes the DO UPDATE branch: one row, the next number.
 * - Two users on one new session: the second's DO UPDATE fails its WHERE and returns no row, so no run is written, and
 *   a claim made before must be undone. An existing session of another user is detected first (`foreign_owner`) and no
 *   claim is made. For a session committed after this statement's snapshot, the claim's foreign key to its run fails at
 *   the end of the statement, which undoes all of it.
 *
 * - An exhausted budget for models (`refused`) stops the rest, unless the idempotency key is held: a repeated request
 *   gets its run. The function that checks it holds a lock until the statement ends; it is called only if there is a
 *   budget.
 *
 * A job has no owner yet: it waits as `queued`, and its due dispatch is a column of the same row. The run of a
 * workflow's node also waits, but for the worker of its workflow.
 */
const START_RUN = statement<keyof ReturnType<typeof valuesOf>>(
  'start_run',
  (p) => `
with refused as materialized (
  select case when ${p.source}::text <> 'workflow' and exists (
      select from budgets where organization_id = ${p.organizationId}::uuid
        and (project_id is null or project_id = ${p.projectId}::uuid) and metric in ('llm_tokens', 'llm_cost_usd'))
    and not exists (
      select from idempotency_keys where api_key_id = ${p.apiKeyId}::uuid and path = ${p.path} and key = ${p.key}
        and created_at > ${p.createdAt}::timestamptz - interval '24 hours')
    then refuse_run(${p.organizationId}::uuid, ${p.projectId}::uuid) end as reason
), foreign_owner as (
  select 1 from sessions
  where ${p.userIdGiven}::boolean and organization_id = ${p.organizationId}::uuid
    and project_id is not distinct from ${p.projectId}::uuid and kind = ${p.kind} and entity_id = ${p.entityId}::uuid
    and session_id = ${p.sessionId} and is_playground = ${p.isPlayground}::boolean and user_id <> ${p.userId}
), claim as (
  insert into idempotency_keys as held (api_key_id, path, key, organization_id, body_hash, run_id, created_at)
  select ${p.apiKeyId}::uuid, ${p.path}, ${p.key}, ${p.organizationId}::uuid, ${p.bodyHash}, ${p.runId}::uuid,
    ${p.createdAt}::timestamptz
  where ${p.key}::text is not null and not exists (select from foreign_owner) and (select reason from refused) is null
  on conflict (api_key_id, path, key) do update set
    run_id = case when held.created_at <= excluded.created_at - interval '24 hours' then excluded.run_id else held.run_id end,
    body_hash = case when held.created_at <= excluded.created_at - interval '24 hours' then excluded.body_hash else held.body_hash end,
    created_at = case when held.created_at <= excluded.created_at - interval '24 hours' then excluded.created_at else held.created_at end
  returning held.run_id, held.body_hash
), session as (
  insert into sessions as held
    (id, organization_id, project_id, kind, entity_id, session_id, user_id, is_playground, last_seq, created_at, last_run_at)
  select ${p.sessionRowId}::uuid, ${p.organizationId}::uuid, ${p.projectId}::uuid, ${p.kind}, ${p.entityId}::uuid,
    ${p.sessionId}, ${p.userId}, ${p.isPlayground}::boolean, 1, ${p.createdAt}::timestamptz, ${p.createdAt}::timestamptz
  where (select reason from refused) is null
    and (${p.key}::text is null or exists (select from claim where run_id = ${p.runId}::uuid))
  on conflict on constraint sessions_identity do update set last_seq = held.last_seq + 1,
    last_run_at = greatest(held.last_run_at, excluded.last_run_at)
    where not ${p.userIdGiven}::boolean or held.user_id = excluded.user_id
  returning held.id, held.user_id, held.last_seq
), run as (
  insert into runs (id, organization_id, project_id, kind, entity_id, entity_version_id, pins, session_row_id, session_seq,
    source, status, input, tag, user_id, include_messages, store_messages, api_key_id, started_by_user_id, limit_seconds, worker_id, lease_until,
    dispatch_due_at, started_at, created_at, workflow_run_id,
    tool_context_sealed, reserved_tokens, reserved_cost_micros, names_user, is_test)
  select ${p.runId}::uuid, ${p.organizationId}::uuid, ${p.projectId}::uuid, ${p.kind}, ${p.entityId}::uuid,
    ${p.entityVersionId}::uuid, ${p.pins}::json, session.id, session.last_seq, ${p.source}::text,
    case when waits then 'queued' else 'running' end, ${p.input}, ${p.tag}, session.user_id,
    ${p.includeMessages}::boolean, ${p.storeMessages}::boolean, ${p.apiKeyId}::uuid, ${p.startedByUserId}::uuid, ${p.limitSeconds}::int,
    case when not waits then ${p.workerId}::text end,
    case when not waits then now() + make_interval(secs => ${p.leaseSeconds}::float8) end, case when job then now() end,
    case when not waits then ${p.createdAt}::timestamptz end, ${p.createdAt}::timestamptz, ${p.workflowRunId}::uuid,
    ${p.toolContextSealed}, ${p.reservedTokens}::int, ${p.reservedCostMicros}::bigint, ${p.userIdGiven}::boolean,
    ${p.isPlayground}::boolean
  from session, (
    select ${p.source}::text = 'api_async' as job, ${p.source}::text in ('api_async', 'workflow') as waits
  ) as is_job
)
select (select reason from refused) as refused, (select user_id from session) as owner_user_id, (select last_seq from session) as session_seq,
  (select run_id from claim) as claimed_run_id, (select body_hash from claim) as claimed_body_hash`,
).returning({
  refused: nullable(text()),
  owner_user_id: nullable(text()),
  session_seq: nullable(number()),
  claimed_run_id: nullable(uuid<RunId>()),
  claimed_body_hash: nullable(text()),
})

type Row = RowOf<typeof START_RUN>

function toOutcome(row: Row | undefined, run: NewRun): StartOutcome {
  if (row && row.owner_user_id !== null && row.session_seq !== null) {
    return { kind: 'started', ownerUserId: row.owner_user_id, sessionSeq: row.session_seq }
  }
  if (
    row &&
    row.claimed_run_id !== null &&
    row.claimed_body_hash !== null &&
    row.claimed_run_id !== run.runId
  ) {
    return {
      kind: 'idempotency_key_used',
      runId: row.claimed_run_id,
      bodyHash: row.claimed_body_hash,
    }
  }
  if (row?.refused != null) return { kind: 'budget_exceeded', message: row.refused }
  return { kind: 'session_of_another_user' }
}

function valuesOf({ session, idempotency, ...run }: NewRun) {
  return {
    runId: run.runId,
    organizationId: session.organizationId,
    projectId: session.projectId,
    kind: session.kind,
    entityId: session.entityId,
    sessionId: storableText(session.sessionId),
    isPlayground: session.isPlayground,
    userId: storableText(run.userId),
    sessionRowId: newId(SessionRowId),
    entityVersionId: run.entityVersionId,
    source: run.source,
    input: storableText(run.input),
    tag: storableNullable(run.tag),
    includeMessages: run.includeMessages,
    apiKeyId: run.apiKeyId,
    startedByUserId: run.startedByUserId,
    workerId: run.workerId,
    leaseSeconds: run.leaseSeconds,
    createdAt: new Date(run.createdAt).toISOString(),
    userIdGiven: run.userIdGiven,
    path: idempotency?.path ?? null,
    key: idempotency ? storableText(idempotency.key) : null,
    bodyHash: idempotency?.bodyHash ?? null,
    pins: run.pins && storableJson(run.pins),
    limitSeconds: run.limitSeconds,
    storeMessages: run.storeMessages,
    workflowRunId: run.workflowRunId,
    toolContextSealed: run.toolContextSealed,
    reservedTokens: Math.min(run.reserved.tokens, 2_147_483_647),
    reservedCostMicros: Math.round(run.reserved.costMicros),
  }
}

export function startRun(client: SqlClient): RunStore['start'] {
  return async (run) => {
    try {
      const [row] = await client.query(...START_RUN(valuesOf(run)))
      return toOutcome(row, run)
    } catch (error) {
      if (error instanceof SqlError && error.constraint === 'idempotency_keys_run_fk') {
        return { kind: 'session_of_another_user' }
      }
      throw error
    }
  }
}
