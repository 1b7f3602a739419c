import type { NewRunMessage } from '@troupe/agents/ports'
import { recordRow } from '../../sql/client/storable.ts'

const TYPES = {
  idx: 'int',
  role: 'text',
  content: 'text',
  tool_calls: 'json',
  tool_call_id: 'text',
  tool_name: 'text',
  is_error: 'boolean',
  state: 'json',
  agent_id: 'uuid',
  agent_name: 'text',
  created_at: 'timestamptz',
} as const

/** The columns of a message as unpacked by the statements. */
type MessageRow = Record<keyof typeof TYPES, unknown>

/** The columns of `run_messages` that come from a message; the others come from the run. */
export const MESSAGE_COLUMNS = Object.keys(TYPES).join(', ')

/** The same as values of {@link MESSAGE_RECORDSET}. */
export const MESSAGE_VALUES = Object.keys(TYPES)
  .map((name) => `m.${name}`)
  .join(', ')

/** `messageRows` unpacked: a FROM item `m` whose columns are {@link MESSAGE_COLUMNS}. */
export function MESSAGE_RECORDSET(json: string): string {
  const columns = Object.entries(TYPES).map(([name, type]) => `${name} ${type}`)
  return `json_to_recordset(${json}) as m (${columns.join(', ')})`
}

/** Messages as rows to serialise to JSON. */
export function messageRows(messages: readonly NewRunMessage[]): Record<string, unknown>[] {
  return messages.map((m) => {
    const row: MessageRow = {
      idx: m.idx,
      role: m.role,
      content: m.content,
      tool_calls: m.toolCalls,
      tool_call_id: m.toolCallId,
      tool_name: m.toolName,
      is_error: m.isError,
      state: m.state ?? null,
      agent_id: m.agentId,
      agent_name: m.agentName,
      created_at: new Date(m.createdAt).toISOString(),
    }
    return recordRow(row)
  })
}
