import {
  DomainError,
  type IdText,
  invalidField,
  momentOf,
  ProjectId,
  parseId,
  UploadId,
} from '@troupe/contract'
import type { Upload } from '@troupe/contract/builder'
import type { Database, Readers, UploadRow } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { UNUSED_UPLOAD_MS, USED_UPLOAD_MS } from '../forms/upload-retention.ts'

/** Dependencies of the operations; `Content` is a stream of bytes. */
export interface UploadedFileParts<Content> {
  database: Pick<Database, 'read' | 'transaction'>
  files: {
    /** null: no such file. */
    open(key: string): Promise<Content | null>
    delete(key: string): Promise<void>
  }
}

/**
 * One page of uploads, newest first; of one project's workflows, if it is named. The next page starts after the last
 * upload of this one, even if that is deleted in the meantime.
 *
 * @throws DomainError `validation_error` for an `after` that is not an id of a page
 */
export async function listUploads(
  { builder }: Pick<Readers, 'builder'>,
  { organizationId }: BuilderCaller,
  { after, limit = 20, projectId }: { after?: string; limit?: number; projectId?: IdText<ProjectId> },
): Promise<{ data: Upload[]; next: string | null }> {
  const start = after === undefined ? null : placeOf(after)
  const rows = await builder.uploads.list(organizationId, {
    after: start,
    limit: limit + 1,
    projectId: projectId === undefined ? null : parseId(ProjectId, projectId),
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = rows.length > limit && last ? `${last.createdAt.getTime()}.${last.id}` : null
  return { data: page.map(presentUpload), next }
}

function placeOf(after: string): { at: Date; id: UploadId } {
  const [ms, text = '', ...rest] = after.split('.')
  const id = parseId(UploadId, text)
  const at = rest.length === 0 && ms ? momentOf(Number(ms)) : null
  if (at !== null && id !== null) return { at, id }
  throw invalidField('after', 'must be `next` of the previous page')
}

/**
 * The bytes of an upload with its name; the caller ends the stream.
 *
 * @throws DomainError `upload_not_found`
 */
export async function openUpload<Content>(
  { database, files }: UploadedFileParts<Content>,
  caller: BuilderCaller,
  uploadId: IdText<UploadId>,
): Promise<{ filename: string; content: Content }> {
  const { filename, storageKey } = await findUpload(database.read, caller, uploadId)
  const content = await files.open(storageKey)
  if (!content) throw uploadNotFound()
  return { filename, content }
}

/**
 * Deletes an upload: its bytes before its row, so that a failure in between leaves no bytes without a row.
 *
 * @throws DomainError `upload_not_found`
 */
export async function deleteUpload(
  { database, files }: UploadedFileParts<unknown>,
  caller: BuilderCaller,
  uploadId: IdText<UploadId>,
): Promise<void> {
  const { organizationId, actor } = caller
  const { id, storageKey, filename, field, workflowId, sizeBytes } = await findUpload(
    database.read,
    caller,
    uploadId,
  )
  await files.delete(storageKey)
  await database.transaction(async ({ write }) => {
    if (!(await write.forms.deleteUpload(organizationId, id))) throw uploadNotFound()
    await write.audit.append({
      organizationId,
      projectId: null,
      actor,
      action: 'upload.deleted',
      entityKind: 'upload',
      entityId: id,
      before: { filename, field, workflowId, sizeBytes },
      after: null,
    })
  })
}

async function findUpload(
  { builder }: Pick<Readers, 'builder'>,
  { organizationId }: BuilderCaller,
  uploadId: IdText<UploadId>,
): Promise<UploadRow> {
  const id = parseId(UploadId, uploadId)
  const found = id && (await builder.uploads.byId(organizationId, id))
  if (!found) throw uploadNotFound()
  return found
}

function presentUpload(row: UploadRow): Upload {
  const { workflowId, workflowName, field, filename, contentType, sizeBytes, executionId } = row
  const deletedAt = row.usedAt
    ? row.usedAt.getTime() + USED_UPLOAD_MS
    : row.createdAt.getTime() + UNUSED_UPLOAD_MS
  return {
    uploadId: row.id,
    workflowId,
    workflowName,
    field,
    filename,
    contentType,
    sizeBytes,
    createdAt: seconds(row.createdAt),
    usedAt: row.usedAt && seconds(row.usedAt),
    executionId,
    deletedAt: new Date(deletedAt).toISOString(),
  }
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}

function uploadNotFound(): DomainError {
  return new DomainError('upload_not_found', 'Uploaded file not found in this organization.')
}
