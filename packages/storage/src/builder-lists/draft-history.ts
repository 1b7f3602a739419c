import type { ChangedBy, OrganizationId, WorkflowId, WorkflowVersionId } from '@troupe/contract'
import { boolean, json, nullable, number, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { type RowOf, statement } from '../sql/client/statement.ts'
import { namedActor } from './actor-name.ts'

/** Saves of one person with a longer pause between them are two entries. */
const PAUSE = `interval '5 minutes'`
const PLACE = 'YYYYMMDDHH24MISSMS'

/** A total order: entries with the same time and revision are told apart by their ids. */
const ORDER = (of: string) => `order by ${of}.at, ${of}.revision nulls last, ${of}.id nulls first`

const TIMELINE = statement<'organizationId' | 'id' | 'after' | 'limit'>(
  'workflow_timeline',
  (p) => `
with events as materialized (
  select 'changes' as kind, c.at, c.revision, c.actor_kind, c.actor_id, c.gesture,
    null::uuid as id, null::uuid as version_id, null::int as number, null::text as reason, null::text as label, null::text as note
  from workflow_draft_changes c
  where c.organization_id = ${p.organizationId}::uuid and c.workflow_id = ${p.id}::uuid
  union all
  select 'snapshot', k.at, k.revision, k.actor_kind, k.actor_id, null, k.id, null, null, k.reason, k.label, null
  from workflow_draft_keeps k
  where k.organization_id = ${p.organizationId}::uuid and k.workflow_id = ${p.id}::uuid
  union all
  select 'version', v.created_at, null, v.created_by_kind, v.created_by_id, null, v.id, v.id, v.n, null, v.label, v.note
  from workflow_versions v
  where v.organization_id = ${p.organizationId}::uuid and v.workflow_id = ${p.id}::uuid and v.n is not null
), begun as (
  select e.*, case when e.kind = 'changes' and lag(e.kind) over turn = 'changes'
    and lag(e.actor_kind) over turn = e.actor_kind and lag(e.actor_id) over turn is not distinct from e.actor_id
    and e.at - lag(e.at) over turn <= ${PAUSE} then 0 else 1 end as begins
  from events e window turn as (${ORDER('e')})
), grouped as (
  select b.*, sum(b.begins) over (${ORDER('b')}) as part from begun b
), entries as (
  select min(g.kind) as kind, max(g.at) as at, min(g.at) as since, min(g.actor_kind) as actor_kind, min(g.actor_id) as actor_id,
    max(g.revision) as revision, min(g.revision) - 1 as from_revision, min(g.version_id::text)::uuid as version_id,
    min(g.number) as number, min(g.reason) as reason, min(g.label) as label, min(g.note) as note, count(*)::int as count,
    (array_agg(g.gesture order by g.revision desc) filter (where g.gesture is not null))[1:5] as gestures,
    to_char(max(g.at) at time zone 'utc', '${PLACE}') || lpad(max(g.part)::text, 9, '0') as place
  from grouped g group by g.part
)
select e.kind, e.at, e.since, ${namedActor('e.actor_kind', 'e.actor_id', `${p.organizationId}::uuid`)} as by, e.revision,
  case when e.kind = 'changes' then e.from_revision end as "fromRevision", e.version_id as "versionId", e.number,
  coalesce(e.version_id = (select d.version_id from workflows w join workflow_deployments d on d.id = w.active_deployment_id
    where w.id = ${p.id}::uuid), false) as "isActive",
  e.reason, e.label, e.note, coalesce(to_json(e.gestures), '[]'::json) as gestures, e.count, e.place,
  e.kind <> 'changes' or exists (
    select from (
      select s.revision from workflow_draft_snapshots s
      where s.workflow_id = ${p.id}::uuid and s.revision <= e.revision order by s.revision desc limit 1
    ) s where e.revision - s.revision = (select count(*) from workflow_draft_changes c
      where c.workflow_id = ${p.id}::uuid and c.revision > s.revision and c.revision <= e.revision)
  ) as "isKept"
from (select * from entries
  where ${p.after}::text is null or place < ${p.after}::text
  order by place desc limit ${p.limit}::int) e
order by e.place desc`,
).returning({
  kind: text<'version' | 'snapshot' | 'changes'>(),
  /** The time of the last save. */
  at: timestamp(),
  /** The time of the first save; equals `at` for the other kinds. */
  since: timestamp(),
  by: json<ChangedBy>(),
  /** The revision of the draft after it; null for a version. */
  revision: nullable(number()),
  /** The revision before the first save; null for the other kinds. */
  fromRevision: nullable(number()),
  /** Set for a version. */
  versionId: nullable(uuid<WorkflowVersionId>()),
  number: nullable(number()),
  isActive: boolean(),
  /** Why a snapshot was kept: a save of the whole draft, or a person's request. */
  reason: nullable(text<'replaced' | 'asked'>()),
  /** Set for a version or a snapshot. */
  label: nullable(text()),
  note: nullable(text()),
  /** Labels of the person's changes, newest first: at most five of the saves. */
  gestures: json<string[]>(),
  /** Saves. */
  count: number(),
  /** The place in the order, for the next page. */
  place: text(),
  /** Whether the state after it can be read. */
  isKept: boolean(),
})

/** Something that happened to a draft: a publish, a kept state, or the saves of one person without a pause of five minutes. */
export type TimelineRow = RowOf<typeof TIMELINE>

const SNAPSHOT = statement<'organizationId' | 'id' | 'revision'>(
  'workflow_draft_snapshot_before',
  (p) => `
select s.revision, s.draft from workflow_draft_snapshots s
where s.organization_id = ${p.organizationId}::uuid and s.workflow_id = ${p.id}::uuid and s.revision <= ${p.revision}::int
order by s.revision desc limit 1`,
).returning({ revision: number(), draft: json<unknown>() })

/** Reads of earlier states of a draft. */
export function draftHistoryRows(client: SqlClient) {
  return {
    /** Newest first. `after`: the place of the last entry of the previous page. */
    timeline: (
      organizationId: OrganizationId,
      id: WorkflowId,
      { after, limit }: { after: string | null; limit: number },
    ): Promise<TimelineRow[]> => client.query(...TIMELINE({ organizationId, id, after, limit })),
    /** The newest kept state up to a revision; null if none is kept. */
    async snapshot(
      organizationId: OrganizationId,
      id: WorkflowId,
      revision: number,
    ): Promise<{ revision: number; draft: unknown } | null> {
      const [row] = await client.query(...SNAPSHOT({ organizationId, id, revision }))
      return row ?? null
    },
  }
}
