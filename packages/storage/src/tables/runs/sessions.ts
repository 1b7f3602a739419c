import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'

/**
 * Conversations. `entity_id` names an agent or a team, so it carries no foreign key. Nor do organization and
 * project: checking them would lock those two rows for every new session, and concurrent starts would queue there.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    projectId: projectId(),
    kind: text('kind').notNull(),
    entityId: uuid('entity_id').notNull(),
    sessionId: freeText('session_id').notNull(),
    userId: freeText('user_id').notNull(),
    /** Conversations of the playground are separate from those of callers, even with the same `session_id`. */
    isPlayground: boolean('is_playground').notNull().default(false),
    /** The number of the newest run; the statement that inserts the next run increments it. */
    lastSeq: integer('last_seq').notNull(),
    createdAt: createdAt(),
    /** Not indexed: every run changes it, and those updates stay heap-only. */
    lastRunAt: moment('last_run_at').notNull().defaultNow(),
  },
  (t) => [
    // The upsert of a session in `start` names this constraint. The project is the last column, because the
    // null-safe comparison (`is not distinct from`) cannot use an index, nor could any column after it.
    unique('sessions_identity')
      .on(t.organizationId, t.kind, t.entityId, t.sessionId, t.isPlayground, t.projectId)
      .nullsNotDistinct(),
    index('sessions_newest').on(t.organizationId, t.createdAt, t.id),
    index('sessions_named').on(t.organizationId, t.sessionId),
    index('sessions_of_playground').on(t.createdAt).where(sql`is_playground`),
  ],
)

/** Versions of the summary of a session before its newest runs; the highest version counts. */
export const sessionSummaries = pgTable(
  'session_summaries',
  {
    sessionRowId: uuid('session_row_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    organizationId: organizationId(),
    projectId: projectId(),
    text: freeText('text').notNull(),
    coversSessionSeq: integer('covers_session_seq').notNull(),
    modelId: freeText('model_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.sessionRowId, t.version] })],
)
