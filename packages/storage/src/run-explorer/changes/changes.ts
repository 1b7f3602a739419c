import { json, nullable } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { isPresent } from '../../workflows/presence.ts'
import type { ChangedEntry, ObservedChanges } from '../port/changes.ts'
import type { Observation } from '../port/observation.ts'
import { millis } from '../runs/summary.ts'

/** The most configuration changes that one poll reports. */
const MOST_ENTRIES = 1_000

/** Maximum recent changes sent to a new connection; if there are more, none are sent. */
const MOST_RECENT = 200

const ENTRY = `json_build_object('id', e.id, 'action', e.action, 'entityKind', e.entity_kind,
          'entityId', e.entity_id, 'at', ${millis('e.created_at')})`

/** A text that changes when a run of an organization starts, ends or begins to wait. Runs in flight are few. */
const RUNS = `(
  select md5(concat(
    (select id from runs r where r.organization_id = o.id and r.kind = 'agent' and r.parent_run_id is null
      and r.workflow_run_id is null order by created_at desc, id desc limit 1),
    (select id from runs r where r.organization_id = o.id and r.kind = 'team' and r.parent_run_id is null
      and r.workflow_run_id is null order by created_at desc, id desc limit 1),
    (select id from workflow_runs w where w.organization_id = o.id order by created_at desc, id desc limit 1),
    (select string_agg(concat(id, status, waiting_since is not null), ',' order by id) from runs r
      where r.organization_id = o.id and r.kind in ('agent', 'team') and r.parent_run_id is null
        and r.workflow_run_id is null and r.status <> 'completed' and r.status in ('queued', 'running')),
    (select string_agg(concat(id, status), ',' order by id) from workflow_runs w
      where w.organization_id = o.id and w.status in ('queued', 'running', 'paused', 'awaiting_approval')))))`

const REVIEWS = `(
  select md5(concat(
    (select string_agg(id::text, ',' order by id) from reviews r where r.organization_id = o.id and r.status = 'open'),
    (select string_agg(id::text, ',' order by id) from approvals a where a.organization_id = o.id and a.status = 'pending'
      and a.expires_at > now()))))`

const WORKFLOW_RUN = `(
  select concat(w.status, w.slice, ' ', count(n.run_id), ' ', count(*) filter (where n.completed_at is not null), ' ',
    coalesce(sum(n.attempt + n.retry), 0), ' ', count(*) filter (where n.status = 'waiting'))
  from workflow_runs w left join workflow_node_runs n on n.run_id = w.id
  where w.id = k.id and w.organization_id = k.organization_id group by w.id)`

const WORKFLOW = `(
  select concat(active_deployment_id, ' ', deleted_at) from workflows
  where id = k.id and organization_id = k.organization_id)`

const DRAFT_REVISION = `(
  select draft_revision from workflows where id = k.id and organization_id = k.organization_id)`

const DELIVERIES = `(
  select d.id::text from webhook_deliveries d where d.workflow_id = k.id and d.organization_id = k.organization_id
  order by d.received_at desc, d.id desc limit 1)`

/** The presence rows of a workflow, without each tab's last report time. */
const PRESENCE = `(
  select md5(string_agg(concat(p.tab_id, ' ', p.user_id, ' ', p.node_id), ',' order by p.tab_id))
  from workflow_presence p where ${isPresent('p', 'k.organization_id', 'k.id')})`

/** The open listeners of a workflow with their numbers of calls. */
const LISTENERS = `(
  select md5(string_agg(concat(l.id, ' ', l.calls, ' ', l.expires_at), ',' order by l.id))
  from workflow_listeners l where l.workflow_id = k.id and l.organization_id = k.organization_id)`

/**
 * The active pins and sample values of a workflow. Their audit entries are merged, so the number of the newest entry
 * does not reveal a change.
 */
const PINS = `(
  select md5(string_agg(concat(p.node_id, ' ', p.updated_at), ',' order by p.node_id))
  from workflow_pins p where p.workflow_id = k.id and p.organization_id = k.organization_id and p.removed_step is null)`

/** The last write of each person's unsaved changes to a resource. */
const UNSAVED = `(
  select md5(string_agg(u.change_id::text, ',' order by u.user_id))
  from unsaved_changes u where u.thing_id = k.id and u.organization_id = k.organization_id)`

const CHANGES = statement<'organizations' | 'watched' | 'viewers'>(
  'observed_changes',
  (p) => `
with o as (
  select * from json_to_recordset(${p.organizations}::json) as o (id uuid, audit_after bigint, recent_ms int,
    runs boolean, reviews boolean)
), k as (
  select * from json_to_recordset(${p.watched}::json) as k (organization_id uuid, kind text, id uuid)
)
select
  (select json_agg(json_build_object('organizationId', o.id, 'runs', case when o.runs then ${RUNS} end,
      'reviews', case when o.reviews then ${REVIEWS} end,
      'newestEntry', coalesce((select max(id) from audit_log), 0),
      'entries', case when o.audit_after is null then null else (
        select json_agg(${ENTRY} order by e.id) from (
          select * from audit_log l where l.id > o.audit_after and l.organization_id = o.id order by l.id limit ${MOST_ENTRIES}
        ) e
      ) end,
      'recent', case when o.recent_ms is null then null else (
        select coalesce(json_agg(${ENTRY} order by e.id), '[]') from (
          select * from audit_log l
          where l.organization_id = o.id and l.created_at > now() - o.recent_ms * interval '1 millisecond'
          order by l.created_at desc, l.id desc limit ${MOST_RECENT + 1}
        ) e
      ) end)) from o) as organizations,
  (select json_agg(json_build_object('organizationId', k.organization_id, 'kind', k.kind, 'id', k.id, 'state',
      case k.kind when 'workflow-run' then ${WORKFLOW_RUN} when 'workflow' then ${WORKFLOW}
        when 'presence' then ${PRESENCE} when 'listeners' then ${LISTENERS}
        when 'pins' then ${PINS} when 'unsaved' then ${UNSAVED} else ${DELIVERIES} end,
      'draftRevision', case k.kind when 'workflow' then ${DRAFT_REVISION} end)) from k) as watched,
  (select json_agg(v.session_id || ' ' || v.organization_id) from json_to_recordset(${p.viewers}::json)
      as v (session_id uuid, organization_id uuid)
    join sign_in_sessions s on s.id = v.session_id and s.expires_at > now()
    join members m on m.user_id = s.user_id and m.organization_id = v.organization_id and m.status = 'active'
      and m.role <> 'reviewer') as viewers`,
).returning({
  organizations: nullable(json<ObservedChanges['organizations']>()),
  watched: nullable(json<ObservedChanges['watched']>()),
  viewers: nullable(json<string[]>()),
})

export function changes(client: SqlClient): Observation['changes'] {
  return async ({ organizations, watched, viewers }) => {
    const [row] = await client.query(
      ...CHANGES({
        organizations: JSON.stringify(
          organizations.map(({ organizationId, entriesAfter, recentMs, runs, reviews }) => {
            return { id: organizationId, audit_after: entriesAfter, recent_ms: recentMs, runs, reviews }
          }),
        ),
        watched: JSON.stringify(
          watched.map(({ organizationId, kind, id }) => ({ organization_id: organizationId, kind, id })),
        ),
        viewers: JSON.stringify(
          viewers.map(({ sessionId, organizationId }) => {
            return { session_id: sessionId, organization_id: organizationId }
          }),
        ),
      }),
    )
    const valid = new Set(row?.viewers)
    return {
      organizations: (row?.organizations ?? []).map((one) => ({
        ...one,
        newestEntry: readUpTo(one),
        recent: listable(one.recent),
      })),
      watched: row?.watched ?? [],
      viewers: viewers.filter(({ sessionId, organizationId }) => valid.has(`${sessionId} ${organizationId}`)),
    }
  }
}

/** The last entry of a truncated answer, at which the next poll continues. */
function readUpTo({ entries, newestEntry }: ObservedChanges['organizations'][number]): number {
  const last = entries?.length === MOST_ENTRIES ? entries.at(-1) : undefined
  return last?.id ?? newestEntry
}

function listable(recent: readonly ChangedEntry[] | null): readonly ChangedEntry[] | null {
  return recent !== null && recent.length > MOST_RECENT ? null : recent
}
