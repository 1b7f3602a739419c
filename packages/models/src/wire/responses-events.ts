import type { ProviderId } from '@troupe/contract'
import { isJsonObject, JSON_BUDGET, parseJson, propertyOf } from '@troupe/contract'
import type { ChangeLine } from './sse-lines.ts'

/** Longer lines are passed on unchanged; the last event repeats the whole answer. */
const MAX_LINE = 8 * 1024 * 1024
const DATA = /^data:\s*/

/** The events known to xAI's package: any other makes it refuse the whole answer. */
const XAI_EVENTS =
  /^(?:error|response\.(?:created|in_progress|completed|done|incomplete|failed)|response\.(?:output_item|content_part|output_text|reasoning_summary_part|reasoning_summary_text|reasoning_text|function_call_arguments|custom_tool_call_input|web_search_call|x_search_call|file_search_call|code_execution_call|code_interpreter_call|code_interpreter_call_code|image_generation_call|mcp_call|mcp_call_arguments|mcp_call_output)\.(?:[a-z_]+|annotation\.added))$/

/**
 * Events that the packages of the Responses API misread:
 * - `response.incomplete` without a reason, which is read as a whole answer;
 * - refusals, which only OpenAI's package reads: the text of one is text, and the answer ends with the content filter
 *   (https://platform.openai.com/docs/api-reference/responses-streaming);
 * - events that xAI's package does not know.
 */
export function mendsResponses(providerId: ProviderId): ChangeLine {
  const readsRefusals = providerId === 'openai'
  let hasRefused = false
  return (line) => {
    if (!DATA.test(line) || line.length > MAX_LINE || line.includes('"response.output_text.delta"'))
      return line
    const mayMatter = /"(?:response\.(?:incomplete|completed|refusal\.)|refusal")/.test(line)
    if (!mayMatter && providerId !== 'xai') return line
    const parsed = parseJson(line.replace(DATA, ''), { ...JSON_BUDGET, characters: MAX_LINE })
    if (!parsed.ok || !isJsonObject(parsed.value)) return line
    const event = parsed.value
    const type = String(event.type ?? '')
    if (!readsRefusals && type.startsWith('response.refusal.')) {
      hasRefused = true
      if (type !== 'response.refusal.delta') return ': refusal'
      return `data: ${JSON.stringify({ ...event, type: 'response.output_text.delta' })}`
    }
    if (type === 'response.completed' && hasRefused) return ended(event, 'content_filter')
    if (type === 'response.incomplete') {
      const reason = propertyOf(propertyOf(event.response, 'incomplete_details'), 'reason')
      if (typeof reason !== 'string' || reason === '') return ended(event, 'unknown')
    }
    return providerId === 'xai' && type !== '' && !XAI_EVENTS.test(type) ? ': unknown event' : line
  }
}

/** The last event of an incomplete answer with a reason. */
function ended(event: Record<string, unknown>, reason: string): string {
  const response = isJsonObject(event.response) ? event.response : {}
  const told = { ...response, status: 'incomplete', incomplete_details: { reason } }
  return `data: ${JSON.stringify({ ...event, type: 'response.incomplete', response: told })}`
}
