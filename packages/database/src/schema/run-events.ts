import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, document, organizationId } from './column-types.ts'
import { runs } from './runs.ts'

/** The event log of a stream; `data` without `event` and `seq`. */
export const runEvents = pgTable(
  'run_events',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    seq: integer('seq').notNull(),
    seqFrom: integer('seq_from').notNull(),
    organizationId: organizationId(),
    event: text('event').notNull(),
    data: document('data').notNull(),
    cuts: integer('cuts').array(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.seq] })],
)
