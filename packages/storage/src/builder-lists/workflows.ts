import type {
  ChangedBy,
  OrganizationId,
  ProjectId,
  TriggerType,
  WorkflowDeploymentId,
  WorkflowId,
  WorkflowRunId,
  WorkflowVersionId,
} from '@troupe/contract'
import {
  boolean,
  json,
  notNull,
  nullable,
  number,
  type RowOfColumns,
  text,
  timestamp,
  uuid,
} from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson } from '../sql/client/storable.ts'
import { namedActor } from './actor-name.ts'
import { configurationRows } from './configuration-rows.ts'
import { type WeekOfRuns, weekOfRuns } from './week-of-runs.ts'

const FAILED = `'failed', 'loop_limit_reached', 'policy_blocked', 'concurrency_limit_reached'`
const STATUSES = `'queued', 'running', 'paused', 'awaiting_approval', 'completed', 'cancelled', ${FAILED}`

/** Maximum runs to count per kind: a busy workflow has millions a day. */
const MOST_COUNTED = 10_000

/** The last change of the draft, the name or the description of a workflow. */
const lastChange = (organization: string, id: string) => `
select ${namedActor('a.actor_kind', 'a.actor_id', 'a.organization_id')} as by
from audit_log a
where a.organization_id = ${organization} and a.entity_kind = 'workflow' and a.entity_id = ${id}::text
  and a.action in ('workflow.created', 'workflow.updated', 'workflow.draft_saved', 'workflow.restored')
order by a.created_at desc, a.id desc limit 1`

/** Additional columns of a row `r` in a list. The indexes of runs are per status, hence one probe for each status. */
const details = (organization: string) => {
  const runs = `from workflow_runs n where n.kind = 'run' and n.organization_id = ${organization} and n.workflow_id = r.id`
  const recent = (statuses: string) =>
    `(select count(*)::int from (select ${runs} and n.status in (${statuses}) and n.created_at >= now() - interval '24 hours'
      limit ${MOST_COUNTED}) counted)`
  return `
select w.organization_id as "organizationId", w.slug, w.description, w.draft_revision as "draftRevision",
  w.version_number as "versionNumber", j.name as "projectName", d.id as "deploymentId",
  d.version_id as "deployedVersionId", d.published_at as "publishedAt", v.n as "publishedNumber",
  coalesce(w.draft_hash = v.graph_hash, false) as "isDraftPublished",
  to_json(coalesce(v.triggers, w.draft_triggers)) as triggers,
  (select min(s.next_fire_at) from schedules s where s.organization_id = ${organization} and s.workflow_id = r.id)
    as "nextFireAt",
  (select max(newest.created_at) from unnest(array[${STATUSES}]) as s(status), lateral (
    select n.created_at ${runs} and n.status = s.status order by n.created_at desc limit 1) newest) as "lastRunAt",
  ${recent(`'completed'`)} as completed, ${recent(FAILED)} as failed,
  (${weekOfRuns('now()', runs, { at: 'n.created_at', ok: `n.status = 'completed'`, failed: `n.status in (${FAILED})` })}) as week,
  (select json_build_object('runId', n.id, 'error', n.error,
    'atMs', floor(extract(epoch from n.created_at) * 1000)::bigint)
    ${runs} and n.status = 'failed' order by n.created_at desc limit 1) as "lastFailure",
  (select c.by from (${lastChange(organization, 'w.id')}) c) as "updatedBy"
from workflows w
left join workflow_deployments d on d.id = w.active_deployment_id
left join workflow_versions v on v.id = d.version_id
left join projects j on j.id = w.project_id
where w.organization_id = ${organization} and w.id = r.id`
}

const COLUMNS = `w.id, w.name, w.project_id as "projectId", w.created_at as "createdAt", w.updated_at as "updatedAt"`

const ROW = {
  id: uuid<WorkflowId>(),
  name: text(),
  projectId: nullable(uuid<ProjectId>()),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  organizationId: uuid<OrganizationId>(),
  slug: nullable(text()),
  description: nullable(text()),
  draftRevision: number(),
  /** Number of the newest version; 0 before the first publish. */
  versionNumber: number(),
  projectName: nullable(text()),
  /** The published version; all four are null while nothing is published. */
  deploymentId: nullable(uuid<WorkflowDeploymentId>()),
  deployedVersionId: nullable(uuid<WorkflowVersionId>()),
  publishedAt: nullable(timestamp()),
  publishedNumber: nullable(number()),
  isDraftPublished: boolean(),
  /** Trigger types of the published graph, or of the draft while nothing is published; a type may occur several times. */
  triggers: json<TriggerType[]>(),
  nextFireAt: nullable(timestamp()),
  lastRunAt: nullable(timestamp()),
  week: json<WeekOfRuns>(),
  /** Runs that began in the last 24 hours; at most 10,000 are counted. */
  completed: number(),
  /** Runs of the last 24 hours that failed, were stopped by a limit, or were rejected; at most 10,000 are counted. */
  failed: number(),
  lastFailure: nullable(json<{ runId: WorkflowRunId; error: string | null; atMs: number }>()),
  /** The author of the last change of the draft, the name or the description. */
  updatedBy: nullable(json<ChangedBy>()),
}

/** A workflow as a list shows it: without its draft, which may be megabytes. */
export type WorkflowRow = RowOfColumns<typeof ROW>

const rowsOfWorkflows = configurationRows({
  names: ['list_workflows', 'get_workflow_row'],
  columns: ROW,
  alias: 'w',
  from: 'workflows w',
  where: 'w.deleted_at is null',
  select: COLUMNS,
  searched: `concat_ws(' ', w.name, w.slug, w.description)`,
  details,
})

const LAST_CHANGE = statement<'organizationId' | 'id'>('last_change_of_workflow', (p) =>
  lastChange(`${p.organizationId}::uuid`, `${p.id}::uuid`),
).returning({ by: json<ChangedBy>() })

/** Runs in flight of one version of a workflow. */
export interface VersionInFlight {
  versionNumber: number
  status: string
  count: number
}

const IN_FLIGHT = statement<'organizationId' | 'id'>(
  'workflow_in_flight',
  (p) => `
select v.n as "versionNumber", n.status, count(*)::int as count
from workflow_runs n join workflow_versions v on v.id = n.version_id
where n.kind = 'run' and n.organization_id = ${p.organizationId}::uuid and n.workflow_id = ${p.id}::uuid
  and n.status in ('queued', 'running', 'paused', 'awaiting_approval')
group by v.n, n.status order by v.n desc, n.status`,
).returning({ versionNumber: notNull(number()), status: text(), count: number() })

/** Maximum payloads to read: more would delay the page. */
const MOST_CALLS = 10_000

const CALLS_LACKING = statement<'organizationId' | 'id' | 'fields'>(
  'workflow_calls_lacking',
  (p) => `
with calls as materialized (
  select n.input from workflow_runs n
  where n.kind = 'run' and n.organization_id = ${p.organizationId}::uuid and n.workflow_id = ${p.id}::uuid
    and n.status in (${STATUSES}) and n.created_at >= now() - interval '7 days' and n.source <> 'builder'
  limit ${MOST_CALLS}
)
select f.field, (select count(*)::int from calls c where c.input ->> f.field is null) as calls
from json_array_elements_text(${p.fields}::json) as f (field)`,
).returning({ field: text(), calls: number() })

/** The changes of one save of a draft. */
export interface DraftChangeRow {
  revision: number
  changeId: string | null
  changes: unknown[]
  changedBy: ChangedBy
  gesture: string | null
  at: Date
}

/** Overhead of a save besides its changes: ids, time, and author as JSON. */
const SAVE_BYTES = 512

/** Saves in order, as many as fit. */
const CHANGES_SINCE = statement<'organizationId' | 'id' | 'since' | 'least' | 'limit' | 'bytes'>(
  'workflow_draft_changes_since',
  (p) => `
with recursive found (n, revision, bytes) as (
  select 0, ${p.since}::int, 0::bigint
  union all
  select found.n + 1, next.revision, found.bytes + next.bytes from found cross join lateral (
    select c.revision, octet_length(json_build_array(c.changes, c.gesture)::text) + ${SAVE_BYTES} as bytes
    from workflow_draft_changes c
    where c.workflow_id = ${p.id}::uuid and c.revision > found.revision
    order by c.revision limit 1
  ) next
  where found.n < ${p.limit}::int and (found.n < ${p.least}::int or found.bytes + next.bytes <= ${p.bytes}::bigint)
)
select w.draft_revision as "draftRevision", coalesce((
    select v.graph_hash = w.draft_hash from workflow_deployments d join workflow_versions v on v.id = d.version_id
    where d.id = w.active_deployment_id), false) as "isDraftPublished", c.*
from workflows w left join lateral (
  select c.revision, c.change_id as "changeId", c.changes,
    ${namedActor('c.actor_kind', 'c.actor_id', 'c.organization_id')} as "changedBy", c.gesture, c.at
  from workflow_draft_changes c join found on found.n > 0 and found.revision = c.revision
  where c.workflow_id = w.id
) c on true
where w.organization_id = ${p.organizationId}::uuid and w.id = ${p.id}::uuid and w.deleted_at is null
order by c.revision`,
).returning({
  draftRevision: number(),
  isDraftPublished: boolean(),
  revision: nullable(number()),
  changeId: nullable(uuid<string>()),
  changes: nullable(json<unknown[]>()),
  changedBy: nullable(json<ChangedBy>()),
  gesture: nullable(text()),
  at: nullable(timestamp()),
})

/** Saves of a draft. */
export interface DraftChangesPage {
  /** Revision of the draft now. */
  draftRevision: number
  /** Whether the draft equals the published version. */
  isDraftPublished: boolean
  /** Oldest first. */
  rows: DraftChangeRow[]
}

/** Reads of workflows. */
export function workflowRows(client: SqlClient) {
  return {
    ...rowsOfWorkflows(client),
    /** The author of the last change of the draft, the name or the description. */
    async lastChange(organizationId: OrganizationId, id: WorkflowId): Promise<ChangedBy | null> {
      const [row] = await client.query(...LAST_CHANGE({ organizationId, id }))
      return row?.by ?? null
    },
    /**
     * Whole saves of a draft after a revision, at most `limit` saves and `bytes` of JSON, but at least `least` saves of
     * any size. Saves of the whole draft have no row. null if there is no such workflow.
     */
    async changesSince(
      organizationId: OrganizationId,
      id: WorkflowId,
      page: { since: number; least: number; limit: number; bytes: number },
    ): Promise<DraftChangesPage | null> {
      const rows = await client.query(...CHANGES_SINCE({ organizationId, id, ...page }))
      const [first] = rows
      if (!first) return null
      return {
        draftRevision: first.draftRevision,
        isDraftPublished: first.isDraftPublished,
        rows: rows.flatMap(({ revision, changes, changedBy, at, changeId, gesture }) =>
          revision === null || changes === null || changedBy === null || at === null
            ? []
            : [{ revision, changeId, changes, changedBy, gesture, at }],
        ),
      }
    },
    /** Runs in flight by version and status, newest version first. */
    inFlight: (organizationId: OrganizationId, id: WorkflowId): Promise<VersionInFlight[]> =>
      client.query(...IN_FLIGHT({ organizationId, id })),
    /**
     * The number of calls in the last seven days in which each field was absent or null. Trials in the builder do not
     * count.
     */
    async callsLacking(
      organizationId: OrganizationId,
      id: WorkflowId,
      fields: readonly string[],
    ): Promise<ReadonlyMap<string, number>> {
      if (fields.length === 0) return new Map()
      const values = { organizationId, id, fields: storableJson(fields) }
      const rows = await client.query(...CALLS_LACKING(values))
      return new Map(rows.map(({ field, calls }) => [field, calls]))
    },
  }
}
