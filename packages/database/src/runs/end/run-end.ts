import type { RunEnd } from '@troupe/agents/ports'
import type { SqlValue } from '../../sql/sql-client.ts'
import { storableJson, storableNullable } from '../../sql/storable.ts'
import { USAGE_COLUMNS, USAGE_RECORDSET, usageRows } from '../../usage/usage-rows.ts'
import { APPENDED_EVENTS, storableJsonOfEvents } from '../events/stored-events.ts'
import { MEMBERS, memberRows } from '../rows/member-rows.ts'
import { MESSAGE_COLUMNS, MESSAGE_RECORDSET, MESSAGE_VALUES, messageRows } from '../rows/message-rows.ts'

/**
 * The tail that ends of runs share: everything that is written when `ended` (a data-modifying query before it, which
 * returns id, organization_id, project_id) has a row, and nothing when it has none. Values $1 to $19 are those of
 * {@link endValues}.
 */
export const END_DETAILS = `
messages as (
  insert into run_messages (run_id, organization_id, ${MESSAGE_COLUMNS})
  select ended.id, ended.organization_id, ${MESSAGE_VALUES} from ended, ${MESSAGE_RECORDSET('$15::json')}
  on conflict do nothing
), ledger as (
  insert into usage_records (organization_id, project_id, run_id, user_id, tag, ${USAGE_COLUMNS})
  select ended.organization_id, ended.project_id, ended.id, $17, $18, ${USAGE_COLUMNS}
  from ended, ${USAGE_RECORDSET('$16')}
)`

/** What the end of a streaming run writes beside {@link END_DETAILS}: the tail of its log, $20. */
export const END_LOG = `
erased as (
  delete from run_events using ended where run_events.run_id = ended.id and not $7::boolean and run_events.seq_from > 1
), log as (${APPENDED_EVENTS('ended', '$20')}
)`

/**
 * What the end of a team's run or of a job writes beside {@link END_DETAILS} and {@link END_LOG}; `ended` returns
 * PARENT_COLUMNS. Members that earlier steps of a job have written lose their texts too when messages are not stored.
 * The journal goes: nothing is replayed after an end.
 */
export const END_MEMBERS = `
${MEMBERS('ended', '$21')}, erased_members as (
  update runs set input = null, content = null from ended where runs.parent_run_id = ended.id and not $7::boolean
), erased_member_messages as (
  delete from run_messages using ended, runs child
  where child.parent_run_id = ended.id and run_messages.run_id = child.id and not $7::boolean
), journal as (
  delete from run_steps using ended where run_steps.run_id = ended.id
)`

/** The texts and numbers of an end, as assignments of an `update runs`. */
export const END_ASSIGNMENTS = `
  content = case when $7::boolean then $4 end, input = case when $7::boolean then input end,
  input_tokens = $11::int, output_tokens = $12::int, failover_used = $13::boolean, answer_agent_id = $19::uuid`

/** True for a run of one process, and for a job while the worker of $23 has it in the turn of $24. */
export const FENCE_HOLDS = '($23::text is null or worker_id = $23 and slice = $24::int)'

/** $1 to $19 of a statement that ends or settles a run. */
export function endValues(end: RunEnd): SqlValue[] {
  return [
    end.runId,
    end.organizationId,
    end.status,
    storableNullable(end.content),
    end.success,
    end.errorCode,
    end.storeMessages,
    storableNullable(end.errorMessage),
    end.stopReason,
    new Date(end.completedAt).toISOString(),
    end.inputTokens,
    end.outputTokens,
    end.failoverUsed,
    end.entityId,
    storableJson(end.storeMessages ? messageRows(end.messages) : []),
    usageRows(end.usage),
    storableNullable(end.userId),
    storableNullable(end.tag),
    end.answerAgentId,
  ]
}

/** $1 to $20: with the log. */
export function endValuesWithLog(end: RunEnd): SqlValue[] {
  return [...endValues(end), storableJsonOfEvents(end.events)]
}

/** $1 to $24: with log, members, plan and fence. */
export function endValuesWithMembers(end: RunEnd): SqlValue[] {
  const plan = end.plan && (end.storeMessages ? end.plan : withoutTitles(end.plan))
  return [
    ...endValuesWithLog(end),
    memberRows(end.members, end.storeMessages),
    plan && storableJson(plan),
    end.fence?.workerId ?? null,
    end.fence?.slice ?? null,
  ]
}

/** The titles of tasks are texts of the conversation; what became of the tasks is not. */
function withoutTitles(plan: NonNullable<RunEnd['plan']>): RunEnd['plan'] {
  return { ...plan, tasks: plan.tasks.map((task) => ({ ...task, title: '' })) }
}
