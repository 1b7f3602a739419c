import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, document, organizationId } from './column-types.ts'
import { runs } from './runs.ts'

/**
 * The journal of a job: what every finished model call, tool call and decision gave, under its stable key. A job that is
 * taken over reads it and repeats nothing. Deleted when the job ends.
 */
export const runSteps = pgTable(
  'run_steps',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    organizationId: organizationId(),
    output: document('output').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.key] })],
)
