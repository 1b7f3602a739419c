import type { ClaimedJob, JobStore, RunnableKind } from '@troupe/agents/ports'
import type {
  AgentId,
  AgentVersionId,
  ApiKeyId,
  OrganizationId,
  ProjectId,
  RunId,
  TeamId,
  TeamVersionId,
} from '@troupe/contract'
import { claimStatement, takeOverStatement } from '../../durable-work/claim.ts'
import { boolean, json, notNull, nullable, number, text, timestamp, uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { type RowOf, statement } from '../../sql/client/statement.ts'
import { JOB_TABLE } from './job-table.ts'

/** The columns that a claim of a job returns. */
const CLAIMED_ROW = {
  id: uuid<RunId>(),
  slice: number(),
  kind: text<RunnableKind>(),
  entity_id: uuid<AgentId | TeamId>(),
  entity_version_id: uuid<AgentVersionId | TeamVersionId>(),
  pins: nullable(json<NonNullable<ClaimedJob['pins']>>()),
  organization_id: uuid<OrganizationId>(),
  project_id: nullable(uuid<ProjectId>()),
  api_key_id: nullable(uuid<ApiKeyId>()),
  session_id: text(),
  session_seq: notNull(number()),
  user_id: text(),
  input: notNull(text()),
  include_messages: boolean(),
  tag: nullable(text()),
  created_at: timestamp(),
  started_at: notNull(timestamp()),
  deadline_at: notNull(timestamp()),
  limit_seconds: notNull(number()),
  tool_context_sealed: nullable(text()),
  names_user: boolean(),
}

const CLAIM_JOB = claimStatement(JOB_TABLE).returning(CLAIMED_ROW)
/** The workflow's fence authorises the claim. */
const CLAIM_CHILD = takeOverStatement(JOB_TABLE, 'claim_child', `t.source = 'workflow'`).returning(
  CLAIMED_ROW,
)

/**
 * The state from earlier turns. A separate statement after the claim, with a newer snapshot: a worker that
 * was presumed lost may have committed a step while the claim waited for the row, which the claim's own
 * snapshot would miss. Steps and batches of events lock the row and check the fence, so after the claim no
 * earlier worker can add any: this read is complete.
 */
const READ_JOURNAL = statement<'runId'>(
  'read_journal',
  (p) => `
select
  (select json_agg(json_build_array(key, name, version, output)) from run_steps where run_id = ${p.runId}::uuid) as steps,
  (select coalesce(max(seq), 0) from run_events where run_id = ${p.runId}::uuid) as last_seq,
  u.input_tokens, u.output_tokens, u.cost_micros, u.failover_used
from (
  select coalesce(sum(input_tokens), 0)::bigint as input_tokens, coalesce(sum(output_tokens), 0)::bigint as output_tokens,
    coalesce(sum(cost_micros), 0)::bigint as cost_micros,
    coalesce(bool_or(is_fallback and ok), false) as failover_used
  from usage_records where run_id = ${p.runId}::uuid
) u`,
).returning({
  steps: nullable(json<[key: string, name: string | null, version: number, output: unknown][]>()),
  last_seq: number(),
  input_tokens: number(),
  output_tokens: number(),
  cost_micros: number(),
  failover_used: boolean(),
})

type Row = RowOf<typeof CLAIM_JOB>

type JournalRow = RowOf<typeof READ_JOURNAL>

function toJob(row: Row, journal: JournalRow, fence: ClaimedJob['fence']): ClaimedJob {
  return {
    runId: row.id,
    fence,
    kind: row.kind,
    entityId: row.entity_id,
    entityVersionId: row.entity_version_id,
    pins: row.pins,
    organizationId: row.organization_id,
    projectId: row.project_id,
    apiKeyId: row.api_key_id,
    sessionId: row.session_id,
    sessionSeq: row.session_seq,
    userId: row.user_id,
    namesUser: row.names_user,
    input: row.input,
    includeMessages: row.include_messages,
    tag: row.tag,
    createdAt: row.created_at.getTime(),
    startedAt: row.started_at.getTime(),
    deadlineAt: row.deadline_at.getTime(),
    limitSeconds: row.limit_seconds,
    toolContextSealed: row.tool_context_sealed,
    steps: new Map(journal.steps?.map(([key, name, version, output]) => [key, { name, version, output }])),
    usage: {
      inputTokens: journal.input_tokens,
      outputTokens: journal.output_tokens,
      failoverUsed: journal.failover_used,
      costMicros: journal.cost_micros,
    },
    lastSeq: journal.last_seq,
  }
}

/** The stored state of a job. */
export async function readJournal(client: SqlClient, runId: RunId): Promise<JournalRow | null> {
  const [journal] = await client.query(...READ_JOURNAL({ runId }))
  return journal ?? null
}

async function withJournal(
  client: SqlClient,
  row: Row | undefined,
  workerId: string,
): Promise<ClaimedJob | null> {
  const journal = row ? await readJournal(client, row.id) : null
  return row && journal ? toJob(row, journal, { workerId, slice: row.slice }) : null
}

export function claimJob(client: SqlClient): JobStore['claim'] {
  return async ({ runId, slice }, workerId, leaseSeconds) => {
    const [row] = await client.query(...CLAIM_JOB({ runId, workerId, leaseSeconds, slice }))
    return withJournal(client, row, workerId)
  }
}

export function claimChild(client: SqlClient): JobStore['claimChild'] {
  return async (runId, workerId, leaseSeconds) => {
    const [row] = await client.query(...CLAIM_CHILD({ runId, workerId, leaseSeconds }))
    return withJournal(client, row, workerId)
  }
}
