import type { ChangedBy, OrganizationId, WorkflowId, WorkflowVersionId } from '@troupe/contract'
import { json, nullable, number, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { VERSION_AUTHOR } from './actor-name.ts'

/** A version of a workflow in a list: a published graph, or a tested draft. */
export interface WorkflowVersionRow {
  id: WorkflowVersionId
  workflowId: WorkflowId
  /** Counts from 1 within the workflow; null for a tested draft, which no list contains. */
  n: number | null
  label: string | null
  note: string | null
  createdBy: ChangedBy
  createdAt: Date
}

/** A published version. */
export type NumberedVersionRow = WorkflowVersionRow & { n: number }

const COLUMNS = `v.id, v.workflow_id as "workflowId", v.n, v.label, v.note, v.created_at as "createdAt",
  ${VERSION_AUTHOR} as "createdBy"`

const LIST = statement<'organizationId' | 'workflowId' | 'limit' | 'offset'>(
  'list_workflow_versions',
  (p) => `
select t.total, r.* from (
  select count(*)::int as total from workflow_versions v
  where v.n is not null and v.organization_id = ${p.organizationId}::uuid and v.workflow_id = ${p.workflowId}::uuid
) t left join lateral (
  select ${COLUMNS} from workflow_versions v
  where v.n is not null and v.organization_id = ${p.organizationId}::uuid and v.workflow_id = ${p.workflowId}::uuid
  order by v.n desc limit ${p.limit}::int offset ${p.offset}::bigint
) r on true order by r.n desc`,
).returning({
  total: number(),
  id: nullable(uuid<WorkflowVersionId>()),
  workflowId: nullable(uuid<WorkflowId>()),
  n: nullable(number()),
  label: nullable(text()),
  note: nullable(text()),
  createdAt: nullable(timestamp()),
  createdBy: nullable(json<ChangedBy>()),
})

const BY_ID = statement<'organizationId' | 'workflowId' | 'id'>(
  'get_workflow_version',
  (p) => `
select ${COLUMNS}, v.graph from workflow_versions v
where v.organization_id = ${p.organizationId}::uuid and v.workflow_id = ${p.workflowId}::uuid and v.id = ${p.id}::uuid`,
).returning({
  id: uuid<WorkflowVersionId>(),
  workflowId: uuid<WorkflowId>(),
  n: nullable(number()),
  label: nullable(text()),
  note: nullable(text()),
  createdAt: timestamp(),
  createdBy: json<ChangedBy>(),
  graph: json<unknown>(),
})

/** Reads of the versions of workflows. */
export function workflowVersionRows(client: SqlClient) {
  return {
    /** Newest first, in one round trip. */
    async page(
      organizationId: OrganizationId,
      workflowId: WorkflowId,
      { page, limit }: { page: number; limit: number },
    ): Promise<{ rows: NumberedVersionRow[]; total: number }> {
      // An empty page is one row without a version.
      const found = await client.query(
        ...LIST({ organizationId, workflowId, limit, offset: (page - 1) * limit }),
      )
      const rows = found.flatMap(({ id, workflowId, n, label, note, createdAt, createdBy }) =>
        id === null || workflowId === null || n === null || createdAt === null || createdBy === null
          ? []
          : [{ id, workflowId, n, label, note, createdAt, createdBy }],
      )
      return { rows, total: found[0]?.total ?? 0 }
    },
    /** null when the workflow has no such version. */
    async byId(
      organizationId: OrganizationId,
      workflowId: WorkflowId,
      id: WorkflowVersionId,
    ): Promise<(WorkflowVersionRow & { graph: unknown }) | null> {
      const [row] = await client.query(...BY_ID({ organizationId, workflowId, id }))
      return row ?? null
    },
  }
}
