import { isJsonObject, JSON_BUDGET, parseJson, propertyOf } from '@troupe/contract'
import type { ChangeLine } from './sse-lines.ts'

/** Longer lines are passed on unchanged. */
const MAX_LINE = 1024 * 1024
const DATA = /^data:\s*/

const EVENTS = new Set([
  ...['message_start', 'message_delta', 'message_stop', 'ping', 'error'],
  ...['content_block_start', 'content_block_delta', 'content_block_stop'],
])
const BLOCKS = new Set([
  ...['text', 'thinking', 'redacted_thinking', 'compaction', 'tool_use', 'server_tool_use', 'mcp_tool_use'],
  ...['web_search_tool_result', 'web_fetch_tool_result', 'mcp_tool_result', 'tool_search_tool_result'],
  ...['code_execution_tool_result', 'bash_code_execution_tool_result', 'advisor_tool_result'],
  ...['text_editor_code_execution_tool_result', 'fallback'],
])
const DELTAS = new Set([
  ...[
    'text_delta',
    'thinking_delta',
    'signature_delta',
    'input_json_delta',
    'citations_delta',
    'compaction_delta',
  ],
])
const ANY_DELTA = new RegExp(`"(?:${[...DELTAS].join('|')})"`)

/**
 * Removes additions of the Messages API from a stream, because its package would refuse the stream: events, blocks and
 * deltas of unknown types (https://platform.claude.com/docs/en/build-with-claude/streaming, section Event types). None
 * of them is content. If a gateway puts text into the start of a block, it becomes a delta of that block.
 */
export function leavesUnknownEvents(): ChangeLine {
  const dropped = new Set<unknown>()
  return (line) => {
    if (!DATA.test(line) || line.length > MAX_LINE) return line
    // Most lines are deltas.
    if (dropped.size === 0 && line.includes('"content_block_delta"') && ANY_DELTA.test(line)) return line
    const parsed = parseJson(line.replace(DATA, ''), { ...JSON_BUDGET, characters: MAX_LINE })
    if (!parsed.ok || !isJsonObject(parsed.value)) return line
    const { value } = parsed
    const { type, index } = value
    // An error without a type is left to the package.
    if (typeof type !== 'string') return line
    if (!EVENTS.has(type)) return ': unknown event'
    if (type === 'content_block_start') {
      if (BLOCKS.has(String(propertyOf(value.content_block, 'type')))) {
        dropped.delete(index)
        return begun(value) ?? line
      }
      dropped.add(index)
    }
    const isOfBlock = type.startsWith('content_block_')
    if (isOfBlock && dropped.has(index)) return ': unknown block'
    const isUnknownDelta =
      type === 'content_block_delta' && !DELTAS.has(String(propertyOf(value.delta, 'type')))
    return isUnknownDelta ? ': unknown delta' : line
  }
}

/** The start of a text block without its text, followed by the text; null if it has no text. */
function begun({ content_block: block, ...event }: Record<string, unknown>): string | null {
  if (!isJsonObject(block) || block.type !== 'text' || block.text === '') return null
  const text = typeof block.text === 'string' ? block.text : ''
  const start = `data: ${JSON.stringify({ ...event, content_block: { ...block, text: '' } })}`
  if (text === '') return start
  const delta = { type: 'content_block_delta', index: event.index, delta: { type: 'text_delta', text } }
  return `${start}\n\nevent: content_block_delta\ndata: ${JSON.stringify(delta)}`
}
