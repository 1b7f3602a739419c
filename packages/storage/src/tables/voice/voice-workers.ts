import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../columns/column-types.ts'

/** Processes that hear and speak in rooms, as their heartbeats describe them; they belong to the deployment. */
export const voiceWorkers = pgTable(
  'voice_workers',
  {
    id: text('id').primaryKey(),
    startedAt: moment('started_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
    capacity: integer('capacity').notNull(),
    activeJobs: integer('active_jobs').notNull(),
    draining: boolean('draining').notNull(),
    version: text('version').notNull(),
  },
  (t) => [index('voice_workers_seen').on(t.lastSeenAt)],
)
