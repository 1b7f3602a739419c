import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { deleteUpload, listUploads, type UploadedFileParts } from './uploads.ts'

/** Uploaded files, without their content, which the route streams. */
export function uploadHandlers(parts: UploadedFileParts<unknown>): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  return [
    handler(op.listUploads, ({ caller, query }) => listUploads(parts.database.read, caller, query)),
    handler(op.deleteUpload, async ({ caller, params }) => {
      await deleteUpload(parts, caller, params.uploadId)
      return null
    }),
  ]
}
