import type { NewRun, RunStore, StartOutcome } from '@troupe/agents/ports'
import { newId, type RunId, SessionRowId } from '@troupe/contract'
import { nullable, number, text, uuid } from '../sql/client/columns.ts'
import { type SqlClient, SqlError } from '../sql/client/sql-client.ts'
import { type Placeholders, type RowOf, statement } from '../sql/client/statement.ts'
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
 *
 * Most requests have no key, and their statement has no claim: its tables cost time even when nothing is read from them.
 */
const startOf = (p: Placeholders<StartParameter>, keyed: boolean) => `
with refused as materialized (
  select case when ${p.source}::text <> 'workflow' and exists (
      select from budgets where organization_id = ${p.organizationId}::uuid
        and (project_id is null or project_id = ${p.projectId}::uuid) and metric in ('llm_tokens', 'llm_cost_usd'))
    ${keyed ? `and not ${isHeld(p)}` : ''}
    then refuse_run(${p.organizationId}::uuid, ${p.projectId}::uuid) end as reason
), ${keyed ? `${claimOf(p)}, ` : ''}session as (
  insert into sessions as held
    (id, organization_id, project_id, kind, entity_id, session_id, user_id, is_playground, last_seq, created_at, last_run_at)
  select ${p.sessionRowId}::uuid, ${p.organizationId}::uuid, ${p.projectId}::uuid, ${p.kind}, ${p.entityId}::uuid,
    ${p.sessionId}, ${p.userId}, ${p.isPlayground}::boolean, 1, ${p.createdAt}::timestamptz, ${p.createdAt}::timestamptz
  from refused where reason is null
    ${keyed ? `and exists (select from claim where run_id = ${p.runId}::uuid)` : ''}
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
select reason as refused, user_id as owner_user_id, last_seq as session_seq,
  ${keyed ? 'claim.run_id as claimed_run_id, body_hash' : 'null::uuid as claimed_run_id, null::text'} as claimed_body_hash
from refused left join session on true ${keyed ? 'left join claim on true' : ''}`

/** Whether the idempotency key was used in the last 24 hours. */
const isHeld = (p: Placeholders<StartParameter>) => `exists (
      select from idempotency_keys where api_key_id = ${p.apiKeyId}::uuid and path = ${p.path} and key = ${p.key}
        and created_at > ${p.createdAt}::timestamptz - interval '24 hours')`

/** Takes the idempotency key for the run, or returns the run that has it. */
const claimOf = (p: Placeholders<StartParameter>) => `foreign_owner as (
  select 1 from sessions
  where ${p.userIdGiven}::boolean and organization_id = ${p.organizationId}::uuid
    and project_id is not distinct from ${p.projectId}::uuid and kind = ${p.kind} and entity_id = ${p.entityId}::uuid
    and session_id = ${p.sessionId} and is_playground = ${p.isPlayground}::boolean and user_id <> ${p.userId}
), claim as (
  insert into idempotency_keys as held (api_key_id, path, key, organization_id, body_hash, run_id, created_at)
  select ${p.apiKeyId}::uuid, ${p.path}, ${p.key}, ${p.organizationId}::uuid, ${p.bodyHash}, ${p.runId}::uuid,
    ${p.createdAt}::timestamptz
  where not exists (select from foreign_owner) and (select reason from refused) is null
  on conflict (api_key_id, path, key) do update set
    run_id = case when held.created_at <= excluded.created_at - interval '24 hours' then excluded.run_id else held.run_id end,
    body_hash = case when held.created_at <= excluded.created_at - interval '24 hours' then excluded.body_hash else held.body_hash end,
    created_at = case when held.created_at <= excluded.created_at - interval '24 hours' then excluded.created_at else held.created_at end
  returning held.run_id, held.body_hash
)`

const COLUMNS = {
  refused: nullable(text()),
  owner_user_id: nullable(text()),
  session_seq: nullable(number()),
  claimed_run_id: nullable(uuid<RunId>()),
  claimed_body_hash: nullable(text()),
}

const START_RUN = statement<StartParameter>('start_run', (p) => startOf(p, false)).returning(COLUMNS)
const START_RUN_WITH_KEY = statement<StartParameter>('start_run_with_key', (p) => startOf(p, true)).returning(
  COLUMNS,
)

type StartParameter = keyof ReturnType<typeof valuesOf>
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
      const [row] = await client.query(...(run.idempotency ? START_RUN_WITH_KEY : START_RUN)(valuesOf(run)))
      return toOutcome(row, run)
    } catch (error) {
      if (error instanceof SqlError && error.constraint === 'idempotency_keys_run_fk') {
        return { kind: 'session_of_another_user' }
      }
      throw error
    }
  }
}
