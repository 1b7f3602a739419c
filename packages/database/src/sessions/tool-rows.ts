import {
  type HistoryRun,
  type HistoryStep,
  REPLAYED_RESULT_BYTES,
  type StoredToolCall,
} from '@troupe/agents/ports'

/** A message of a run that calls tools, or a result of a call. */
interface ToolRow {
  content: string | null
  calls: StoredToolCall[] | null
  callId: string | null
}

/** A run of a history as its statement returns it. */
export interface HistoryRow extends Omit<HistoryRun, 'steps'> {
  tools?: ToolRow[] | null
}

/**
 * SQL of the newest messages of a run with tool calls and their results, as JSON. Results count as they are replayed,
 * and are returned whole: what reads them cuts them.
 */
export function toolRows(runId: string, maxBytes: string): string {
  return `(
    select json_agg(json_build_object('content', content, 'calls', tool_calls, 'callId', tool_call_id) order by idx)
    from (
      select idx, content, tool_calls, tool_call_id, sum(
        least(coalesce(octet_length(content), 0), ${REPLAYED_RESULT_BYTES}) + coalesce(octet_length(tool_calls::text), 0)
      ) over (order by idx desc) as bytes
      from run_messages where run_id = ${runId} and (tool_calls is not null or role = 'tool')
    ) message
    where bytes <= ${maxBytes}::bigint
  )`
}

/** The complete steps of the rows: the oldest one may lack its calls, and a run that was lost may lack results. */
function stepsOf(rows: readonly ToolRow[]): HistoryStep[] {
  const results = new Map(
    rows.flatMap(({ callId, content }) => (callId === null ? [] : [[callId, content ?? '']])),
  )
  return rows.flatMap(({ calls, content }) => {
    const answered = (calls ?? []).flatMap(({ id, name, arguments: given }) => {
      const result = results.get(id)
      return result === undefined ? [] : [{ id, name, arguments: given, result }]
    })
    const isComplete = calls !== null && calls.length > 0 && answered.length === calls.length
    return isComplete ? [{ text: content ?? '', calls: answered }] : []
  })
}

/** The run with its steps; without any when its tool calls were not read. */
export function withSteps({ tools, ...run }: HistoryRow): HistoryRun {
  return tools ? { ...run, steps: stepsOf(tools) } : run
}
