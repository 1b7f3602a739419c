import type { OrganizationId, ProjectId } from '@troupe/contract'
import { json, nullable, number, type RowOfColumns, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableText } from '../sql/client/storable.ts'
import type { TableName } from '../tables/table-name.ts'
import { actorName, checkedUuid } from './actor-name.ts'

/** Filter of the audit log; absent fields do not narrow it. */
export interface AuditFilter {
  actorId?: string | undefined
  entityKind?: string | undefined
  entityId?: string | undefined
  /** null: entries of every project and of the organization level. */
  projectId?: ProjectId | null
  /** `agent.created`; `agent.` for every action of the noun. */
  action?: string | undefined
  /** Inclusive. */
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
  /** The last row of the previous page. */
  after: { at: Date; id: number } | null
  limit: number
}

/** The newest change of an entity. */
export type LatestChange = Pick<AuditRow, 'at' | 'actorKind' | 'actorId' | 'actorName'>

type FilterParameter =
  | 'organizationId'
  | 'actorId'
  | 'entityKind'
  | 'entityId'
  | 'projectId'
  | 'action'
  | 'from'
  | 'to'
  | 'afterAt'
  | 'afterId'
  | 'limit'

/** The tables that hold the names of entities. */
const NAMED: readonly [kind: string, table: TableName][] = [
  ['agent', 'agents'],
  ['team', 'teams'],
  ['workflow', 'workflows'],
  ['project', 'projects'],
  ['api_key', 'api_keys'],
  ['llm_configuration', 'llm_configurations'],
  ['credential', 'credentials'],
  ['mcp_server', 'mcp_servers'],
  ['knowledge_base', 'knowledge_bases'],
  ['phone_trunk', 'phone_trunks'],
]

/**
 * A page ends with the entry that reaches this many bytes of before and after: one entry may have megabytes, and a hundred of
 * them would be read into memory at once.
 */
const MAX_PAGE_BYTES = 262_144

const ACTOR_NAME = actorName('a.actor_kind', 'a.actor_id', 'a.organization_id')

// Ids of the log need not be UUIDs, and only a checked cast uses an index.
const ENTITY_ID = checkedUuid('a.entity_id')
const ENTITY_NAME = `case a.entity_kind
    ${NAMED.map(
      ([kind, table]) =>
        `when '${kind}' then (select n.name from ${table} n where n.organization_id = a.organization_id and n.id = (${ENTITY_ID}))`,
    ).join('\n    ')}
    when 'skill' then (select k.slug from skills k where k.organization_id = a.organization_id and k.id = (${ENTITY_ID}))
    when 'voice_configuration' then (select v.slug from voice_configurations v where v.organization_id = a.organization_id and v.id = (${ENTITY_ID}))
    when 'phone_number' then (select n.e164 from phone_numbers n where n.organization_id = a.organization_id and n.id = (${ENTITY_ID}))
    when 'review' then coalesce((select v.title from reviews v where v.organization_id = a.organization_id and v.id = (${ENTITY_ID})), a.after->>'workflowName')
    when 'approval' then a.after->>'toolName'
    when 'member' then (select u.name from users u where u.id = (${ENTITY_ID}))
    when 'organization' then (select o.name from organizations o where o.id = a.organization_id) end`

const SHOWN = `a.id, a.created_at as at, a.actor_kind as "actorKind", a.actor_id as "actorId", ${ACTOR_NAME} as "actorName",
  a.actor_ip as "actorIp", a.action, a.entity_kind as "entityKind", a.entity_id as "entityId",
  coalesce(${ENTITY_NAME}, a.after->>'name', a.before->>'name', a.after->>'email', a.before->>'email',
    a.after->>'slug', a.before->>'slug', a.after->>'e164', a.before->>'e164') as "entityName",
  a.project_id as "projectId", a.before, a.after, a.request_id as "requestId"`

/** {@link SHOWN} as a row. */
const SHOWN_ROW = {
  id: number(),
  at: timestamp(),
  actorKind: text<'user' | 'api_key' | 'operator' | 'system'>(),
  actorId: nullable(text()),
  /** The current name of the person or the key. */
  actorName: nullable(text()),
  actorIp: nullable(text()),
  action: text(),
  entityKind: text(),
  entityId: text(),
  entityName: nullable(text()),
  projectId: nullable(uuid<ProjectId>()),
  before: nullable(json<Record<string, unknown>>()),
  after: nullable(json<Record<string, unknown>>()),
  requestId: nullable(text()),
}

/** One row of the audit log, with names. */
export type AuditRow = RowOfColumns<typeof SHOWN_ROW>

const LIST = statement<FilterParameter>(
  'list_audit',
  (p) => `
with page as (
  select * from audit_log a
  where a.organization_id = ${p.organizationId}::uuid
    and (${p.actorId}::text is null or a.actor_id = ${p.actorId}::text)
    and (${p.entityKind}::text is null or a.entity_kind = ${p.entityKind}::text)
    and (${p.entityId}::text is null or a.entity_id = ${p.entityId}::text)
    and (${p.projectId}::uuid is null or a.project_id = ${p.projectId}::uuid)
    and (${p.action}::text is null or a.action = ${p.action}::text
      or (right(${p.action}::text, 1) = '.' and starts_with(a.action, ${p.action}::text)))
    and (${p.from}::timestamptz is null or a.created_at >= ${p.from}::timestamptz)
    and (${p.to}::timestamptz is null or a.created_at < ${p.to}::timestamptz)
    and (${p.afterId}::bigint is null or (a.created_at, a.id) < (${p.afterAt}::timestamptz, ${p.afterId}::bigint))
  order by a.created_at desc, a.id desc limit ${p.limit}::int
), sized as (
  select *, sum(coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)) over (
    order by created_at desc, id desc rows between unbounded preceding and 1 preceding) as bytes_above
  from page
)
select ${SHOWN}, (select count(*)::int from page) as found
from sized a where coalesce(a.bytes_above, 0) < ${MAX_PAGE_BYTES} order by a.created_at desc, a.id desc`,
).returning({
  ...SHOWN_ROW,
  found: number(),
})

const FIND = statement<'organizationId' | 'id'>(
  'find_audit',
  (p) => `
select ${SHOWN} from audit_log a where a.organization_id = ${p.organizationId}::uuid and a.id = ${p.id}::bigint`,
).returning(SHOWN_ROW)

const LATEST = statement<'organizationId' | 'entityKind' | 'entityId'>(
  'latest_change',
  (p) => `
select a.created_at as at, a.actor_kind as "actorKind", a.actor_id as "actorId", ${ACTOR_NAME} as "actorName"
from audit_log a
where a.organization_id = ${p.organizationId}::uuid and a.entity_kind = ${p.entityKind}::text and a.entity_id = ${p.entityId}::text
order by a.created_at desc, a.id desc limit 1`,
).returning({
  at: timestamp(),
  actorKind: text<'user' | 'api_key' | 'operator' | 'system'>(),
  actorId: nullable(text()),
  actorName: nullable(text()),
})

/** Reads of the audit log. */
export function auditRows(client: SqlClient) {
  return {
    /** Newest first. `hasMore` also if the page ended at its maximum of bytes. */
    async list(
      organizationId: OrganizationId,
      { after, limit, actorId, entityKind, entityId, projectId, action, from, to }: AuditFilter,
    ): Promise<{ rows: AuditRow[]; hasMore: boolean }> {
      const text = (value: string | undefined) => (value === undefined ? null : storableText(value))
      const found = await client.query(
        ...LIST({
          organizationId,
          actorId: text(actorId),
          entityKind: text(entityKind),
          entityId: text(entityId),
          projectId: projectId ?? null,
          action: text(action),
          from: from?.toISOString() ?? null,
          to: to?.toISOString() ?? null,
          afterAt: after?.at.toISOString() ?? null,
          afterId: after?.id ?? null,
          // One row more than the page, to detect a next page.
          limit: limit + 1,
        }),
      )
      const rows = found.slice(0, limit)
      return { rows, hasMore: (found[0]?.found ?? 0) > rows.length }
    },
    /** null when the organization has no row of this id. */
    async find(organizationId: OrganizationId, id: number): Promise<AuditRow | null> {
      const [row] = await client.query(...FIND({ organizationId, id }))
      return row ?? null
    },
    /** null if the log has no entry of the entity. */
    async latest(
      organizationId: OrganizationId,
      entityKind: string,
      entityId: string,
    ): Promise<LatestChange | null> {
      const [row] = await client.query(...LATEST({ organizationId, entityKind, entityId }))
      return row ?? null
    },
  }
}
