import type { RunEnd } from '@troupe/agents/ports'
import type { Placeholders } from '../../sql/client/statement.ts'
import { storableJson, storableNullable } from '../../sql/client/storable.ts'
import {
  USAGE_COLUMNS,
  USAGE_RECORDSET,
  USAGE_RUN_COLUMNS,
  USAGE_SOURCE_COLUMNS,
  usageRows,
  usageRunValues,
  usageValues,
} from '../../usage-ledger/usage-rows.ts'
import { APPENDED_EVENTS, storableJsonOfEvents } from '../events/stored-events.ts'
import { MEMBERS, memberRows } from '../rows/member-rows.ts'
import { MESSAGE_COLUMNS, MESSAGE_RECORDSET, MESSAGE_VALUES, messageRows } from '../rows/message-rows.ts'
import { promptRows } from '../rows/prompt-rows.ts'

/** What the end of a run without members returns. */
export const RUN_COLUMNS = `id, organization_id, project_id, ${USAGE_SOURCE_COLUMNS}`

/** The parameters of a statement that ends or settles a run; see {@link endValues}. */
export type EndParameter = keyof ReturnType<typeof endValues>
/** The same for the end of a team's run or of a job. */
export type TeamEndParameter = keyof ReturnType<typeof teamEndValues>

/**
 * The shared tail of statements that end runs: writes everything when `ended` (a preceding data-modifying
 * query that returns RUN_COLUMNS or PARENT_COLUMNS) has a row, and nothing otherwise.
 */
export function endDetails(p: Placeholders<EndParameter>): string {
  return `
messages as (
  insert into run_messages (run_id, organization_id, ${MESSAGE_COLUMNS})
  select ended.id, ended.organization_id, ${MESSAGE_VALUES} from ended, ${MESSAGE_RECORDSET(`${p.messages}::json`)}
  on conflict do nothing
), ledger as (
  insert into usage_records (${USAGE_RUN_COLUMNS}, user_id, tag, ${USAGE_COLUMNS})
  select ${usageRunValues('ended')}, ${p.userId}, ${p.tag}, ${usageValues(`${p.storeMessages}::boolean`)}
  from ended, ${USAGE_RECORDSET(p.usage)}
)`
}

/** Added to {@link endDetails} for the end of a streaming run: the tail of its log. */
export function endLog(p: Placeholders<EndParameter>): string {
  return `
erased as (
  delete from run_events using ended
  where run_events.run_id = ended.id and not ${p.storeMessages}::boolean and run_events.seq_from > 1
), log as (${APPENDED_EVENTS('ended', p.events)}
)`
}

/**
 * Added to {@link endDetails} and {@link endLog} for the end of a team's run or of a job; `ended` returns
 * PARENT_COLUMNS. When messages are not stored, members written by earlier steps of a job lose their texts
 * too. The journal is deleted: nothing is replayed after an end.
 */
export function endMembers(p: Placeholders<TeamEndParameter>): string {
  return `
${MEMBERS('ended', p.members)}, erased_members as (
  update runs set input = null, content = null from ended
  where runs.parent_run_id = ended.id and not ${p.storeMessages}::boolean
), erased_member_messages as (
  delete from run_messages using ended, runs child
  where child.parent_run_id = ended.id and run_messages.run_id = child.id and not ${p.storeMessages}::boolean
), journal as (
  delete from run_steps using ended where run_steps.run_id = ended.id
)`
}

/** The texts and numbers of an end, as assignments of an `update runs`. */
export function endAssignments(p: Placeholders<EndParameter>): string {
  return `
  content = case when ${p.storeMessages}::boolean then ${p.content} end,
  input = case when ${p.storeMessages}::boolean then coalesce(${p.input}, input) end, flags = ${p.flags}::json, input_tokens = ${p.inputTokens}::int,
  output_tokens = ${p.outputTokens}::int, failover_used = ${p.failoverUsed}::boolean,
  answer_agent_id = ${p.answerAgentId}::uuid, citations = ${p.citations}::json, prompts = ${p.prompts}::json`
}

/** True for a run of one process, and for a job while the worker owns it under this fence. */
export function fenceHolds(p: Placeholders<TeamEndParameter>): string {
  return `(${p.workerId}::text is null or worker_id = ${p.workerId} and slice = ${p.slice}::int)`
}

/** The values of an end of a run with its log. */
export function endValues(end: RunEnd) {
  return {
    runId: end.runId,
    organizationId: end.organizationId,
    status: end.status,
    content: storableNullable(end.content),
    input: storableNullable(end.input),
    flags: end.flags.length > 0 ? storableJson(end.flags) : null,
    citations: end.storeMessages && end.citations ? storableJson(end.citations) : null,
    success: end.success,
    learns: end.learns ?? false,
    errorCode: end.errorCode,
    storeMessages: end.storeMessages,
    errorMessage: storableNullable(end.errorMessage),
    stopReason: end.stopReason,
    completedAt: new Date(end.completedAt).toISOString(),
    inputTokens: end.inputTokens,
    outputTokens: end.outputTokens,
    failoverUsed: end.failoverUsed,
    entityId: end.entityId,
    messages: storableJson(end.storeMessages ? messageRows(end.messages) : []),
    usage: usageRows(end.usage),
    prompts: promptRows(end.storeMessages ? end.prompts : null),
    userId: storableNullable(end.userId),
    tag: storableNullable(end.tag),
    answerAgentId: end.answerAgentId,
    events: storableJsonOfEvents(end.events),
  }
}

/** The same with members, plan and fence. */
export function teamEndValues(end: RunEnd) {
  const plan = end.plan && (end.storeMessages ? end.plan : withoutTitles(end.plan))
  return {
    ...endValues(end),
    members: memberRows(end.members, end.storeMessages),
    plan: plan && storableJson(plan),
    workerId: end.fence?.workerId ?? null,
    slice: end.fence?.slice ?? null,
  }
}

/** Task titles are conversation text and are erased; task outcomes are not. */
function withoutTitles(plan: NonNullable<RunEnd['plan']>): RunEnd['plan'] {
  return { ...plan, tasks: plan.tasks.map((task) => ({ ...task, title: '' })) }
}
