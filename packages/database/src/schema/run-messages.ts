import { boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { document, freeText, moment, organizationId } from './column-types.ts'
import { runs } from './runs.ts'

export const runMessages = pgTable(
  'run_messages',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    idx: integer('idx').notNull(),
    organizationId: organizationId(),
    role: text('role').notNull(),
    /** null for an assistant that only called tools. */
    content: freeText('content'),
    toolCalls: document('tool_calls'),
    toolCallId: text('tool_call_id'),
    toolName: text('tool_name'),
    isError: boolean('is_error'),
    agentId: uuid('agent_id'),
    agentName: freeText('agent_name'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.idx] })],
)
