import type { VoiceSessionId } from '@troupe/contract'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { document, freeText, moment, organizationId } from '../columns/column-types.ts'
import { voiceSessions } from './voice-sessions.ts'

/** The transcript of a voice session: an interrupted reply has only its spoken part. */
export const voiceTurns = pgTable(
  'voice_turns',
  {
    sessionId: uuid('session_id')
      .$type<VoiceSessionId>()
      .notNull()
      .references(() => voiceSessions.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    /** Set by the worker; a repeated item is stored once. */
    itemId: text('item_id').notNull(),
    seq: integer('seq').notNull(),
    role: text('role', { enum: ['user', 'assistant'] }).notNull(),
    text: freeText('text').notNull(),
    interrupted: boolean('interrupted').notNull().default(false),
    runId: uuid('run_id'),
    /** Latencies of the turn in whole milliseconds, by name. */
    metrics: document('metrics'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.sessionId, t.itemId] }),
    // The history of voice runs shows the heard text.
    index('voice_turns_run').on(t.runId).where(sql`run_id is not null`),
  ],
)
