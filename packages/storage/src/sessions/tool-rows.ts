import {
  type HistoryRun,
  type HistoryStep,
  REPLAYED_RESULT_BYTES,
  REPLAYED_STATE_RUNS,
  type StepState,
  type StoredToolCall,
} from '@troupe/agents/ports'

/** A message with tool calls, a result of a call, or an answer with the state of its step. */
export interface ToolRow {
  /** null for an answer: the run has its text. */
  content: string | null
  calls: StoredToolCall[] | null
  callId: string | null
  state: StepState | null
  /** Set for an answer: whether its text equals that of the run. */
  isAnswer: boolean
}

/** A run of a history as its statement returns it. */
export interface HistoryRow extends Omit<HistoryRun, 'steps' | 'state' | 'status'> {
  status: HistoryRun['status'] | 'timeout'
  tools?: ToolRow[] | null
}

/** The limits of the rows of one run, as placeholders of a statement. */
interface RowLimits {
  toolRuns: string
  toolBytes: string
  stateBytes: string
}

/**
 * The SQL for the newest messages of a run with tool calls and their results, and of answers with their state, as JSON;
 * null for a run that is too old for both. `run` has the columns `id`, `content` and `position`. Results count with
 * their replayed length, but are returned whole: the reader truncates them. A state that does not fit is omitted whole,
 * and so are older ones.
 */
export function toolRows(run: string, limits: RowLimits): string {
  const isTool = `(message.tool_calls is not null or message.role = 'tool')`
  const stateBytes = `coalesce(octet_length(message.state::text), 0)`
  return `
  case when ${run}.position <= greatest(${limits.toolRuns}::bigint, ${REPLAYED_STATE_RUNS}) then (
    select json_agg(json_build_object('content', content, 'calls', tool_calls, 'callId', tool_call_id,
      'state', case when state_bytes <= ${limits.stateBytes}::bigint then state end, 'isAnswer', is_answer) order by idx)
    from (
      select message.idx, case when ${isTool} then message.content end as content, message.tool_calls, message.tool_call_id,
        message.state, message.content is not distinct from ${run}.content as is_answer,
        sum(${stateBytes}) over newest as state_bytes,
        sum(case when ${isTool} then least(coalesce(octet_length(message.content), 0), ${REPLAYED_RESULT_BYTES})
          + coalesce(octet_length(message.tool_calls::text), 0) else 0 end) over newest as tool_bytes,
        ${isTool} as is_tool
      from run_messages message
      where message.run_id = ${run}.id
        and (${isTool} and ${run}.position <= ${limits.toolRuns}::bigint or message.role = 'assistant' and message.tool_calls is null)
      window newest as (order by message.idx desc)
    ) sized
    where (is_tool and tool_bytes <= ${limits.toolBytes}::bigint) or (not is_tool and state is not null)
  ) end`
}

/** Executed tool calls of a run and its members, as the rest of a query. Delegations of a lead are not tool calls. */
const executedCalls = (run: string) => `
  from run_messages message, json_array_elements(message.tool_calls) call
  where message.run_id = any (array(select ${run}.id union all select member.id from runs member where member.parent_run_id = ${run}.id))
    and message.tool_calls is not null and call ->> 'ms' is not null
    and not (${run}.kind = 'team' and call ->> 'name' = 'delegate')`

/** The SQL for whether a run failed after it or a member had called tools. `run` has the columns of `runs`. */
export function failedAfterCalls(run: string): string {
  return `(${run}.status in ('failed', 'timeout') and exists (select ${executedCalls(run)}))`
}

/**
 * The SQL for the names of the tools called by a run and its members, if the run has no complete answer; null for
 * others. `run` has the columns `id`, `kind`, `status` and `content`.
 */
export function calledTools(run: string): string {
  return `
  case when ${run}.status <> 'completed' or ${run}.content is null then (
    select json_agg(distinct call ->> 'name') ${executedCalls(run)}
  ) end`
}

/** The complete steps of the rows: the oldest one may lack its calls, and a lost run may lack results. */
function stepsOf(rows: readonly ToolRow[]): HistoryStep[] {
  const results = new Map(
    rows.flatMap(({ callId, content }) => (callId === null ? [] : [[callId, content ?? '']])),
  )
  return rows.flatMap(({ calls, content, state }) => {
    const answered = (calls ?? []).flatMap(({ id, name, arguments: given }) => {
      const result = results.get(id)
      return result === undefined ? [] : [{ id, name, arguments: given, result }]
    })
    const isComplete = calls !== null && calls.length > 0 && answered.length === calls.length
    return isComplete ? [{ text: content ?? '', calls: answered, ...(state && { state }) }] : []
  })
}

/** The state of the answer: that of the last message, if that is the answer. */
function stateOf(rows: readonly ToolRow[]): StepState | null {
  const last = rows.at(-1)
  return last && last.calls === null && last.callId === null && last.isAnswer ? last.state : null
}

/** The run with its steps and the state of its answer; without both if they were not read. */
export function withSteps({ tools, called, status, ...run }: HistoryRow): HistoryRun {
  const state = tools ? stateOf(tools) : null
  return {
    ...run,
    status: status === 'timeout' ? 'failed' : status,
    ...(tools && { steps: stepsOf(tools) }),
    ...(state && { state }),
    ...(called && { called }),
  }
}
