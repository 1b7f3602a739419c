import type { OrganizationId } from '@troupe/contract'
import { json, nullable, number, text } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson } from '../sql/client/storable.ts'

/** A change that may extend the newest entry of its entity. */
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

/** The columns of {@link NewestEntry} of a row `a`. */
export const NEWEST_ENTRY_COLUMNS = `a.id, a.actor_kind as "actorKind", a.actor_id as "actorId", a.action, a.before, a.after,
  extract(epoch from now() - a.created_at)::float8 as seconds`

/** The newest entry of an entity, read through the table's index of entities. */
export const newestEntryOf = (organization: string, kind: string, entity: string) => `
select * from audit_log a
where a.organization_id = ${organization} and a.entity_kind = ${kind} and a.entity_id = ${entity}
order by a.created_at desc, a.id desc limit 1`

/** The same columns, declared. */
export const NEWEST_ENTRY = {
  id: number(),
  actorKind: text(),
  actorId: nullable(text()),
  action: text(),
  before: nullable(json<unknown>()),
  after: nullable(json<unknown>()),
  seconds: number(),
}

const NEWEST = statement<'organizationId' | 'entityKind' | 'entityId'>(
  'newest_audit_entry',
  (p) => `
select ${NEWEST_ENTRY_COLUMNS} from (
  ${newestEntryOf(`${p.organizationId}::uuid`, `${p.entityKind}::text`, `${p.entityId}::text`)}
) a`,
).returning(NEWEST_ENTRY)

const REPLACE = statement<'organizationId' | 'id' | 'before' | 'after'>(
  'join_audit_entry',
  (p) => `
update audit_log set before = ${p.before}::json, after = ${p.after}::json
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::bigint`,
)

/** The newest entry of an entity. */
export interface NewestEntry extends EntryStates {
  id: number
  actorKind: string
  actorId: string | null
  action: string
  /** Its age. */
  seconds: number
}

/** Joins of audit entries, over the client of an open transaction. */
export function auditJoins(client: SqlClient) {
  return {
    /**
     * Merges a change into the newest entry of its entity if the same actor made the same kind of change within
     * `seconds`. The entry keeps its time. The caller holds the entity's lock.
     *
     * @param combine null: the change cannot be merged into that entry
     * @param known the newest entry, if a statement under that lock has already read it
     * @returns false, with nothing written, if there is no such entry
     */
    async join(
      { organizationId, actor, action, entityKind, entityId }: JoiningEntry,
      seconds: number,
      combine: (earlier: EntryStates) => EntryStates | null,
      known?: NewestEntry | null,
    ): Promise<boolean> {
      const values = { organizationId, entityKind, entityId }
      const latest = known === undefined ? (await client.query(...NEWEST(values)))[0] : known
      const isSame =
        latest &&
        latest.seconds < seconds &&
        latest.action === action &&
        latest.actorKind === actor.kind &&
        latest.actorId === actor.id
      if (!isSame) return false
      const combined = combine(latest)
      if (combined === null) return false
      const { before, after } = combined
      const { id } = latest
      await client.query(
        ...REPLACE({ organizationId, id, before: storableJson(before), after: storableJson(after) }),
      )
      return true
    },
  }
}

/** Merges changes in quick succession. */
export type AuditJoins = ReturnType<typeof auditJoins>
