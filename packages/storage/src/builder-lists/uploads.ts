import type { OrganizationId, ProjectId, UploadId, WorkflowId, WorkflowRunId } from '@troupe/contract'
import { nullable, number, type RowOfColumns, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'

const COLUMNS = `u.id, u.workflow_id as "workflowId", w.name as "workflowName", u.field, u.filename,
  u.content_type as "contentType", u.size_bytes::float8 as "sizeBytes", u.created_at as "createdAt",
  u.used_at as "usedAt", u.execution_id as "executionId", u.storage_key as "storageKey"`

/** {@link COLUMNS} as a row. */
const ROW = {
  id: uuid<UploadId>(),
  workflowId: uuid<WorkflowId>(),
  workflowName: text(),
  /** The name of the form's field. */
  field: text(),
  filename: text(),
  contentType: text(),
  sizeBytes: number(),
  createdAt: timestamp(),
  /** The time at which a submission used it; null while unused. */
  usedAt: nullable(timestamp()),
  executionId: nullable(uuid<WorkflowRunId>()),
  storageKey: text(),
}

/** A file that a visitor of a form uploaded, without its text. */
export type UploadRow = RowOfColumns<typeof ROW>

const LIST = statement<'organizationId' | 'projectId' | 'afterAt' | 'afterId' | 'limit'>(
  'list_uploads',
  (p) => `
select ${COLUMNS} from form_uploads u join workflows w on w.id = u.workflow_id
where u.organization_id = ${p.organizationId}::uuid
  and (${p.projectId}::uuid is null or w.project_id = ${p.projectId}::uuid) and (${p.afterId}::uuid is null
  or (u.created_at, u.id) < (${p.afterAt}::timestamptz, ${p.afterId}::uuid))
order by u.created_at desc, u.id desc limit ${p.limit}::int`,
).returning(ROW)

const BY_ID = statement<'organizationId' | 'id'>(
  'get_upload',
  (p) => `
select ${COLUMNS} from form_uploads u join workflows w on w.id = u.workflow_id
where u.organization_id = ${p.organizationId}::uuid and u.id = ${p.id}::uuid`,
).returning(ROW)

/** Reads of uploaded files. */
export function uploadRows(client: SqlClient) {
  return {
    /** Newest first. `after`: the last upload of the previous page, which may be deleted. `projectId`: of this project's workflows; null: of all. */
    list: (
      organizationId: OrganizationId,
      {
        after,
        limit,
        projectId,
      }: { after: { at: Date; id: UploadId } | null; limit: number; projectId: ProjectId | null },
    ): Promise<UploadRow[]> =>
      client.query(
        ...LIST({
          organizationId,
          projectId,
          afterAt: after?.at.toISOString() ?? null,
          afterId: after?.id ?? null,
          limit,
        }),
      ),
    /** null when the organization has no such upload. */
    async byId(organizationId: OrganizationId, id: UploadId): Promise<UploadRow | null> {
      const [row] = await client.query(...BY_ID({ organizationId, id }))
      return row ?? null
    },
  }
}
