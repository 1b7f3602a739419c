import type { RunnableKind } from '@troupe/agents/ports'
import type { AnyVersionId } from '@troupe/contract'
import { type VersionOwner, writeVersion } from '../runnables/write-version.ts'
import { boolean, json, nullable, number, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { type RowOf, statement } from '../sql/client/statement.ts'
import { storableNullable } from '../sql/client/storable.ts'
import { RUNNABLE_TABLES } from '../tables/table-name.ts'
import { VERSION_AUTHOR } from './actor-name.ts'
import type { CountedVersion, DraftVersions, VersionAuthor, VersionChanges, Versions } from './port.ts'

/** Maximum runs to count of one agent or team over all its versions: a busy one has millions a day. */
const MOST_COUNTED = 10_000

type Identity = 'organizationId' | 'ownerId'

const COLUMNS = `v.id, v.n as number, v.label, v.note, ${VERSION_AUTHOR} as "createdBy", v.created_at as "createdAt",
  v.id = e.version_id as "isCurrent"`

const VERSION = {
  id: uuid<AnyVersionId>(),
  number: nullable(number()),
  label: nullable(text()),
  note: nullable(text()),
  createdBy: json<VersionAuthor>(),
  createdAt: timestamp(),
  isCurrent: boolean(),
}

const isOwned = (kind: RunnableKind, p: Record<Identity, string>) =>
  `v.organization_id = ${p.organizationId}::uuid and v.${kind}_id = ${p.ownerId}::uuid`

const page = (kind: RunnableKind) =>
  statement<Identity | 'limit' | 'offset'>(
    `${kind}_versions_page`,
    (p) => `
with matching as (select count(*)::int as total from ${RUNNABLE_TABLES[kind].versions} v where ${isOwned(kind, p)} and v.n is not null),
counted as (
  select s.version_id, (count(*) filter (where s.status = 'completed'))::int as completed,
    (count(*) filter (where s.status in ('failed', 'timeout')))::int as failed
  from (
    select r.entity_version_id as version_id, r.status from runs r
    where r.organization_id = ${p.organizationId}::uuid and r.entity_id = ${p.ownerId}::uuid and r.kind = '${kind}'
      and r.parent_run_id is null and not r.is_test order by r.created_at desc limit ${MOST_COUNTED}
  ) s group by s.version_id
)
select matching.total, item.* from matching left join (
  select ${COLUMNS}, coalesce(c.completed, 0) as completed, coalesce(c.failed, 0) as failed
  from ${RUNNABLE_TABLES[kind].versions} v join ${RUNNABLE_TABLES[kind].current} e on e.id = v.${kind}_id left join counted c on c.version_id = v.id
  where ${isOwned(kind, p)} and v.n is not null order by v.n desc limit ${p.limit}::int offset ${p.offset}::bigint
) item on true order by item.number desc`,
  ).returning({ total: number() }, { ...VERSION, completed: number(), failed: number() })

const find = (kind: RunnableKind) =>
  statement<Identity | 'versionId'>(
    `${kind}_version`,
    (p) => `
select ${COLUMNS}, v.name, v.description, v.config, v.config_schema_version as "configSchemaVersion"
from ${RUNNABLE_TABLES[kind].versions} v join ${RUNNABLE_TABLES[kind].current} e on e.id = v.${kind}_id where ${isOwned(kind, p)} and v.id = ${p.versionId}::uuid`,
  ).returning({
    ...VERSION,
    name: text(),
    description: nullable(text()),
    config: json<Record<string, unknown>>(),
    configSchemaVersion: number(),
  })

const describe = (kind: RunnableKind) =>
  statement<Identity | 'versionId' | 'setLabel' | 'label' | 'setNote' | 'note'>(
    `${kind}_version_described`,
    (p) => `
update ${RUNNABLE_TABLES[kind].versions} v set label = case when ${p.setLabel}::boolean then ${p.label}::text else v.label end,
  note = case when ${p.setNote}::boolean then ${p.note}::text else v.note end
where ${isOwned(kind, p)} and v.id = ${p.versionId}::uuid`,
  )

const STATEMENTS = {
  agent: { page: page('agent'), find: find('agent'), describe: describe('agent') },
  team: { page: page('team'), find: find('team'), describe: describe('team') },
}

const identityOf = ({ organizationId, id }: VersionOwner) => ({ organizationId, ownerId: id })

type PageRow = RowOf<ReturnType<typeof page>>

/** A page beyond the last version is one row without a version. */
function versionOf({ total: _, ...row }: PageRow): CountedVersion[] {
  return row.id === null ? [] : [row]
}

/** Reads versions of agents and teams; each method is one statement. */
export function versions(client: SqlClient): Versions {
  return {
    async page(owner, { page, limit }) {
      const rows = await client.query(
        ...STATEMENTS[owner.kind].page({ ...identityOf(owner), limit, offset: (page - 1) * limit }),
      )
      return { rows: rows.flatMap(versionOf), total: rows[0]?.total ?? 0 }
    },
    async find(owner, versionId) {
      const [row] = await client.query(...STATEMENTS[owner.kind].find({ ...identityOf(owner), versionId }))
      return row ?? null
    },
  }
}

/** Changes of versions over the client of an open transaction. */
export function versionChanges(client: SqlClient): VersionChanges {
  return {
    async describe(owner, versionId, { label, note }) {
      await client.query(
        ...STATEMENTS[owner.kind].describe({
          ...identityOf(owner),
          versionId,
          setLabel: label !== undefined,
          label: storableNullable(label ?? null),
          setNote: note !== undefined,
          note: storableNullable(note ?? null),
        }),
      )
    },
  }
}

/**
 * Deletes leftovers of the playground and of tests. The runs of one conversation are deleted by their own age, so that
 * a draft outlives every run that is shown.
 */
const SWEEPS = [
  (before: string) => `delete from workflow_runs where kind = 'test' and created_at < ${before}
    and status not in ('queued', 'running', 'paused', 'awaiting_approval')`,
  (before: string) => `delete from runs where is_test and parent_run_id is null and created_at < ${before}
    and status not in ('queued', 'running')`,
  (before: string) => `delete from sessions s where s.is_playground and s.created_at < ${before}
    and not exists (select from runs r where r.session_row_id = s.id)`,
  (before: string) => `delete from agent_versions where n is null and created_at < ${before}`,
  (before: string) => `delete from team_versions where n is null and created_at < ${before}`,
  (before: string) => `delete from workflow_versions v where v.n is null and v.created_at < ${before}
    and not exists (select from workflow_runs r where r.workflow_id = v.workflow_id and r.version_id = v.id and r.kind = 'test')`,
].map((text, index) =>
  statement<'before'>(`sweep_playground_${index}`, (p) => text(`${p.before}::timestamptz`)),
)

/** Drafts of the playground. */
export function draftVersions(client: SqlClient): DraftVersions {
  return {
    keep: (owner, draft) => writeVersion(client, owner, { ...draft, n: null }),
    async sweep(before) {
      for (const sweep of SWEEPS) await client.query(...sweep({ before: before.toISOString() }))
    },
  }
}
