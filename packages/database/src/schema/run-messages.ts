import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { freeText, moment, organizationId } from './column-types.ts'
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
    content: freeText('content').notNull(),
    agentId: uuid('agent_id'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.idx] })],
)
