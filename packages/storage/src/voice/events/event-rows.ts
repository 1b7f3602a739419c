import type { MediaEventLog } from '@troupe/voice'
import { text } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'

const NOTE = statement<'id' | 'at'>(
  'note_livekit_event',
  (p) => `
insert into livekit_events (id, received_at) values (${p.id}, ${p.at}::timestamptz) on conflict do nothing returning id`,
).returning({ id: text() })

const SWEEP = statement<'before'>(
  'sweep_livekit_events',
  (p) => `delete from livekit_events where received_at < ${p.before}::timestamptz`,
)

/** The processed webhooks of the media server. */
export function mediaEventRows(client: SqlClient): MediaEventLog {
  return {
    async note(id, at) {
      const rows = await client.query(...NOTE({ id, at: at.toISOString() }))
      return rows.length > 0
    },
    async sweep(before) {
      await client.query(...SWEEP({ before: before.toISOString() }))
    },
  }
}
