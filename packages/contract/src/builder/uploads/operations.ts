import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { IsoTimestamp, UnixSeconds, Uuid } from '../../schema/formats.ts'
import type { ProjectId, UploadId, WorkflowId, WorkflowRunId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { KeysetPage, keysetQuery } from '../operation/lists.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

const path = `${ORGANIZATION_PATH}/uploads` as const
const common = { tag: 'Uploads', access: 'builder' } as const
const params = Type.Object(organizationParams)
const uploadParams = Type.Object({ ...organizationParams, uploadId: Type.String() })

/** A file that a visitor of a form uploaded. */
export const Upload = Type.Object({
  uploadId: Uuid<UploadId>(),
  workflowId: Uuid<WorkflowId>(),
  workflowName: Type.String(),
  field: Type.String({ description: 'The name of the field in the form.' }),
  filename: Type.String(),
  contentType: Type.String({ description: 'Found in the content; empty while the file arrives.' }),
  sizeBytes: Type.Integer(),
  createdAt: UnixSeconds(),
  usedAt: Nullable(UnixSeconds({ description: 'null: it waits for its submission.' })),
  executionId: Nullable(Uuid<WorkflowRunId>({ description: 'The run that its submission started.' })),
  deletedAt: IsoTimestamp({ description: 'When the server deletes it.' }),
})
export type Upload = Static<typeof Upload>

const listUploadsForBuilder = defineOperation({
  ...common,
  id: 'listUploads',
  method: 'GET',
  path,
  summary: 'List the files that visitors of forms uploaded',
  needs: 'read',
  params,
  query: Type.Object({
    ...keysetQuery,
    projectId: Type.Optional(Uuid<ProjectId>({ description: 'Only files of forms of this project.' })),
  }),
  success: { status: 200, description: 'One page, newest first.', body: KeysetPage(Upload) },
  errors: ['validation_error'],
})

const getUploadContentForBuilder = defineOperation({
  ...common,
  id: 'getUploadContent',
  method: 'GET',
  path: `${path}/{uploadId}/content`,
  summary: 'Download an uploaded file',
  needs: 'read',
  params: uploadParams,
  success: {
    status: 200,
    description: 'The bytes, as an attachment.',
    body: Type.String({ format: 'binary' }),
    type: 'application/octet-stream',
  },
  errors: ['upload_not_found'],
})

const deleteUploadForBuilder = defineOperation({
  ...common,
  id: 'deleteUpload',
  method: 'DELETE',
  path: `${path}/{uploadId}`,
  summary: 'Delete an uploaded file',
  description: 'Runs keep the text that they were given.',
  needs: 'manage',
  params: uploadParams,
  success: { status: 204, description: 'The file was deleted.', body: Type.Null() },
  errors: ['upload_not_found'],
})

/** Uploaded files, by the ids of the operations. */
export const UPLOAD_OPERATIONS = {
  listUploads: listUploadsForBuilder,
  getUploadContent: getUploadContentForBuilder,
  deleteUpload: deleteUploadForBuilder,
} as const
