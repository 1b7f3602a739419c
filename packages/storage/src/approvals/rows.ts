import type { ApprovalRecord, NewApproval } from '@troupe/agents/ports'
import type {
  AgentId,
  ApprovalId,
  ApprovalStatus,
  OrganizationId,
  ProjectId,
  ReviewActor,
  RunId,
  WorkflowRunId,
} from '@troupe/contract'
import { IN_FLIGHT_STATUSES } from '@troupe/workflows/ports'
import { json, nullable, number, text, uuid } from '../sql/client/columns.ts'
import { storableJson } from '../sql/client/storable.ts'

/** Opens an approval of the run in `run` (a query with id, organization_id, project_id and store_messages); once for each step. */
export function OPENED_APPROVAL(run: string, parameter: string): string {
  return `
  insert into approvals (id, organization_id, project_id, run_id, step_key, agent_id, tool_call_id, tool_name, args,
    args_hash, forgets, status, expires_at, asks, notify, token_hash, token_sealed, notify_due_at)
  select a.id, r.organization_id, r.project_id, r.id, a.step_key, a.agent_id, a.tool_call_id, a.tool_name, a.args,
    a.args_hash, not r.store_messages, 'pending', to_timestamp(a.expires_at / 1000), a.asks, a.notify, a.token_hash, a.token_sealed,
    case when a.token_sealed is not null then now() end
  from ${run} r, json_to_record(${parameter}::json) as a (id uuid, step_key text, agent_id uuid, tool_call_id text,
    tool_name text, args json, args_hash text, expires_at float8, asks text[], notify json, token_hash text, token_sealed text)
  on conflict do nothing`
}

/** A new approval as JSON for {@link OPENED_APPROVAL}. */
export function approvalRow(approval: NewApproval): string {
  return storableJson({
    id: approval.approvalId,
    step_key: approval.stepKey,
    agent_id: approval.agentId,
    tool_call_id: approval.toolCallId,
    tool_name: approval.toolName,
    args: approval.args,
    args_hash: approval.argsHash,
    expires_at: approval.expiresAt,
    asks: approval.asks ?? [],
    notify: { emails: approval.notice?.emails ?? [], webhookUrl: null },
    token_hash: approval.notice?.link.hash ?? null,
    token_sealed: approval.notice?.link.sealed ?? null,
  })
}

/**
 * Whether the run `r` of an approval, or the workflow run that it is a node of, has ended. Such a run is cancelled
 * soon, and it makes no more calls.
 */
const hasEnded = `(r.status not in ('queued', 'running') or r.workflow_run_id is not null and not exists (
  select from workflow_runs w where w.id = r.workflow_run_id and w.status in (${IN_FLIGHT_STATUSES.map((status) => `'${status}'`).join(', ')})))`
/** Whether the approval of the run `r` may still be decided. */
export const RUN_IS_ACTIVE = `not ${hasEnded}`
/** The status of the approval `a` of the run `r`: an approval expires without a write. */
const STATUS = `case when a.status = 'pending' and (${hasEnded} or a.expires_at <= now()) then 'expired' else a.status end`

/** The stored rows that may have the status, for the index, and the condition that they do. */
export const WITH_STATUS = {
  all: '',
  pending: `and a.status = 'pending' and ${STATUS} = 'pending'`,
  approved: `and a.status = 'approved'`,
  denied: `and a.status = 'denied'`,
  decided: `and ${STATUS} <> 'pending'`,
  expired: `and a.status in ('expired', 'pending') and ${STATUS} = 'expired'`,
} as const

const millis = (column: string) => `(extract(epoch from a.${column}) * 1000)::bigint`

/** The columns of an {@link ApprovalRecord} over the approval `a` of the run `r`. */
export const APPROVAL_COLUMNS = `a.id as "approvalId", a.organization_id as "organizationId", a.project_id as "projectId",
  a.run_id as "runId", a.agent_id as "agentId", coalesce((select name from agents where id = a.agent_id), '') as "agentName",
  to_json(a.asks) as asks, r.workflow_run_id as "workflowRunId", a.tool_call_id as "toolCallId", a.tool_name as "toolName",
  case when a.forgets and ${hasEnded} then '{}'::json else a.args end as args, ${STATUS} as status,
  ${millis('created_at')} as "createdAt", ${millis('expires_at')} as "expiresAt", a.resolved_by as "resolvedBy", ${millis('resolved_at')} as "resolvedAt",
  case when a.status = 'pending' and ${hasEnded} then 'The run has ended.' else a.reason end as reason`

/** Set with every end of `pending`: no further notifications. */
export const NOBODY_TO_TELL = 'notify_due_at = null, token_sealed = null'

/** {@link APPROVAL_COLUMNS} as a row. */
export const APPROVAL_ROW = {
  approvalId: uuid<ApprovalId>(),
  organizationId: uuid<OrganizationId>(),
  projectId: nullable(uuid<ProjectId>()),
  runId: uuid<RunId>(),
  agentId: uuid<AgentId>(),
  agentName: text(),
  asks: json<readonly string[]>(),
  workflowRunId: nullable(uuid<WorkflowRunId>()),
  toolCallId: text(),
  toolName: text(),
  args: json<Readonly<Record<string, unknown>>>(),
  status: text<ApprovalStatus>(),
  createdAt: number(),
  expiresAt: number(),
  resolvedBy: nullable(json<ReviewActor>()),
  resolvedAt: nullable(number()),
  reason: nullable(text()),
}
