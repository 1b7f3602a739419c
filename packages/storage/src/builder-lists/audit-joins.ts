import type { OrganizationId } from '@troupe/contract'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson } from '../sql/client/storable.ts'

/** A change that may continue the newest entry of its entity. */
export interface JoiningEntry {
  organizationId: OrganizationId
  actor: { kind: string; id: string | null }
  action: string
  entityKind: string
  entityId: string
}

/** The state before and after a change in the audit log, as stored. */
export interface EntryStates {
  before: unknown
  after: unknown
}

const LATEST = statement<'organizationId' | 'entityKind' | 'entityId' | 'seconds'>(
  'joinable_audit_entry',
  (p) => `
select a.id, a.actor_kind as "actorKind", a.actor_id as "actorId", a.action, a.before, a.after,
  a.created_at > now() - make_interval(secs => ${p.seconds}::int) as "isRecent"
from audit_log a
where a.organization_id = ${p.organizationId}::uuid and a.entity_kind = ${p.entityKind}::text and a.entity_id = ${p.entityId}::text
order by a.created_at desc, a.id desc limit 1`,
)

const REPLACE = statement<'organizationId' | 'id' | 'before' | 'after'>(
  'join_audit_entry',
  (p) => `
update audit_log set before = ${p.before}::json, after = ${p.after}::json
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::bigint`,
)

interface Latest extends EntryStates {
  id: number
  actorKind: string
  actorId: string | null
  action: string
  isRecent: boolean
}

/** Joins of audit entries, over the client of an open transaction. */
export function auditJoins(client: SqlClient) {
  return {
    /**
     * Joins a change with the newest entry of its entity, if the same actor made the same kind of change within
     * `seconds`. The entry keeps its time. The caller has locked the entity.
     *
     * @returns false if there is no such entry; nothing was written then
     */
    async join(
      { organizationId, actor, action, entityKind, entityId }: JoiningEntry,
      seconds: number,
      combine: (earlier: EntryStates) => EntryStates,
    ): Promise<boolean> {
      const values = { organizationId, entityKind, entityId, seconds }
      const [latest] = await client.query<Latest>(...LATEST(values))
      const isSame =
        latest?.isRecent &&
        latest.action === action &&
        latest.actorKind === actor.kind &&
        latest.actorId === actor.id
      if (!isSame) return false
      const { before, after } = combine(latest)
      const { id } = latest
      await client.query(
        ...REPLACE({ organizationId, id, before: storableJson(before), after: storableJson(after) }),
      )
      return true
    },
  }
}

/** Joins changes in quick succession. */
export type AuditJoins = ReturnType<typeof auditJoins>
