import type { ClaimedJob, JobStore, RunKind } from '@troupe/agents/ports'
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
import type { SqlClient } from '../../sql/sql-client.ts'
import { MAX_LOSSES } from './sweep-jobs.ts'

/**
 * The compare-and-set. Of two claims of one turn the second waits for the row, finds a living lease and changes nothing;
 * a claim against a cancel finds whichever came first. The working time begins with the first claim.
 */
const CLAIM = `
  status = 'running', worker_id = $2, lease_until = now() + make_interval(secs => $3::float8),
  dispatch_due_at = null, started_at = coalesce(runs.started_at, now()),
  deadline_at = coalesce(runs.deadline_at, now() + make_interval(secs => runs.limit_seconds))`

const CLAIMED = `runs.id, runs.slice, runs.kind, runs.entity_id, runs.entity_version_id, runs.pins, runs.organization_id, runs.project_id,
  runs.api_key_id, s.external_id, runs.session_seq, runs.user_id, runs.input, runs.include_messages, runs.tag,
  runs.created_at, runs.started_at, runs.deadline_at, runs.limit_seconds`

/**
 * A lease that has run out is a loss, as the watchdog counts it, and costs the turn: otherwise a process that takes a job
 * back from itself would share the fence with what it was doing before. The last loss is the watchdog's.
 */
const CLAIM_JOB = {
  name: 'claim_job',
  text: `
update runs set ${CLAIM}, slice = runs.slice + (runs.lease_until is not null)::int,
  losses = runs.losses + (runs.lease_until is not null)::int
from sessions s
where runs.id = $1::uuid and runs.slice = $4::int and runs.source = 'api_async' and runs.status in ('queued', 'running')
  and (runs.lease_until is null or runs.lease_until < now() and runs.losses < ${MAX_LOSSES - 1})
  and s.id = runs.session_id
returning ${CLAIMED}`,
}

/** The workflow's fence decides who may: here only the slice is taken, so that an earlier worker's writes are refused. */
const CLAIM_CHILD = {
  name: 'claim_child',
  text: `
update runs set slice = runs.slice + 1, ${CLAIM} from sessions s
where runs.id = $1::uuid and runs.source = 'workflow' and runs.status in ('queued', 'running')
  and s.id = runs.session_id
returning ${CLAIMED}`,
}

/**
 * What earlier turns have left. A statement of its own after the claim, with a snapshot of its own: a worker that was
 * thought lost may have committed a step while the claim waited for the row, and the claim's snapshot would not show it.
 * Steps and batches of events lock the row and check the fence, so after the claim no earlier worker adds to them: what
 * is read here is all there will be.
 */
const READ_JOURNAL = {
  name: 'read_journal',
  text: `
select
  (select json_agg(json_build_array(key, output)) from run_steps where run_id = $1::uuid) as steps,
  (select coalesce(max(seq), 0) from run_events where run_id = $1::uuid) as last_seq,
  u.input_tokens, u.output_tokens, u.failover_used
from (
  select coalesce(sum(input_tokens), 0)::bigint as input_tokens, coalesce(sum(output_tokens), 0)::bigint as output_tokens,
    coalesce(bool_or(is_fallback and ok), false) as failover_used
  from usage_records where run_id = $1::uuid
) u`,
}

interface Row {
  id: string
  slice: number
  kind: RunKind
  entity_id: string
  entity_version_id: string
  pins: ClaimedJob['pins']
  organization_id: string
  project_id: string | null
  api_key_id: string | null
  external_id: string
  session_seq: number
  user_id: string
  input: string
  include_messages: boolean
  tag: string | null
  created_at: Date
  started_at: Date
  deadline_at: Date
  limit_seconds: number
}

interface JournalRow {
  steps: [string, unknown][] | null
  last_seq: number
  input_tokens: number
  output_tokens: number
  failover_used: boolean
}

function toJob(row: Row, journal: JournalRow, fence: ClaimedJob['fence']): ClaimedJob {
  return {
    runId: row.id as RunId,
    fence,
    kind: row.kind,
    entityId: row.entity_id as AgentId | TeamId,
    entityVersionId: row.entity_version_id as AgentVersionId | TeamVersionId,
    pins: row.pins,
    organizationId: row.organization_id as OrganizationId,
    projectId: row.project_id as ProjectId | null,
    apiKeyId: row.api_key_id as ApiKeyId | null,
    sessionId: row.external_id,
    sessionSeq: row.session_seq,
    userId: row.user_id,
    input: row.input,
    includeMessages: row.include_messages,
    tag: row.tag,
    createdAt: row.created_at.getTime(),
    startedAt: row.started_at.getTime(),
    deadlineAt: row.deadline_at.getTime(),
    limitSeconds: row.limit_seconds,
    steps: new Map(journal.steps),
    usage: {
      inputTokens: journal.input_tokens,
      outputTokens: journal.output_tokens,
      failoverUsed: journal.failover_used,
    },
    lastSeq: journal.last_seq,
  }
}

/** What a job has left so far. */
export async function readJournal(client: SqlClient, runId: string): Promise<JournalRow | null> {
  const [journal] = await client.query<JournalRow>(READ_JOURNAL, [runId])
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
    const [row] = await client.query<Row>(CLAIM_JOB, [runId, workerId, leaseSeconds, slice])
    return withJournal(client, row, workerId)
  }
}

export function claimChild(client: SqlClient): JobStore['claimChild'] {
  return async (runId, workerId, leaseSeconds) => {
    const [row] = await client.query<Row>(CLAIM_CHILD, [runId, workerId, leaseSeconds])
    return withJournal(client, row, workerId)
  }
}
