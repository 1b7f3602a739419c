import type { VoiceSessionStore } from '@troupe/voice'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { SESSION_COLUMNS, SESSION_ROW } from './columns.ts'

const BY_ID = statement<'id'>(
  'locate_voice_session',
  (p) => `select ${SESSION_COLUMNS} from voice_sessions v where v.id = ${p.id}::uuid`,
).returning(SESSION_ROW)

const BY_IDS = statement<'ids'>(
  'locate_voice_sessions',
  (p) => `
select ${SESSION_COLUMNS} from voice_sessions v
where v.id in (select value::uuid from json_array_elements_text(${p.ids}::json))`,
).returning(SESSION_ROW)

const BY_KEY = statement<'organizationId' | 'id'>(
  'get_voice_session',
  (p) => `
select ${SESSION_COLUMNS} from voice_sessions v
where v.organization_id = ${p.organizationId}::uuid and v.id = ${p.id}::uuid`,
).returning(SESSION_ROW)

/** A room name is used once, but a deleted room may reappear for a moment under another server id. */
const BY_ROOM = statement<'roomName' | 'roomSid'>(
  'locate_voice_session_of_room',
  (p) => `
select ${SESSION_COLUMNS} from voice_sessions v
where v.room_name = ${p.roomName}
  and (v.lk_room_sid is null or ${p.roomSid}::text is null or v.lk_room_sid = ${p.roomSid}::text)`,
).returning(SESSION_ROW)

type SessionReads = Pick<VoiceSessionStore, 'locate' | 'locateRoom' | 'byKey' | 'byIds'>

/** Reads of sessions. */
export function sessionReads(client: SqlClient): SessionReads {
  return {
    async locate(id) {
      const [row] = await client.query(...BY_ID({ id }))
      return row ?? null
    },
    async byKey(key) {
      const [row] = await client.query(...BY_KEY(key))
      return row ?? null
    },
    byIds: (ids) => client.query(...BY_IDS({ ids: JSON.stringify(ids) })),
    async locateRoom(roomName, roomSid) {
      const [row] = await client.query(...BY_ROOM({ roomName, roomSid }))
      return row ?? null
    },
  }
}
