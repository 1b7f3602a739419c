import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../columns/column-types.ts'

/** Ids of webhooks of the media server that were received in the last hour: a repeated one changes nothing. */
export const livekitEvents = pgTable(
  'livekit_events',
  { id: text('id').primaryKey(), receivedAt: moment('received_at').notNull() },
  (t) => [index('livekit_events_received').on(t.receivedAt)],
)
