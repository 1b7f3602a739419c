import type { Readable } from 'node:stream'
import { deleteUpload, listUploads, openUpload, type UploadParts } from '@troupe/builder/uploads/uploads'
import { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import { registerOperation } from '../../http/operation.ts'
import type { App } from '../../http/server-types.ts'

/** Files that visitors of forms uploaded. */
export function registerUploads(app: App, parts: UploadParts<Readable>): void {
  const op = BUILDER_OPERATIONS
  registerOperation(app, op.listUploads, ({ caller, query }) =>
    listUploads(parts.database.read, caller, query),
  )
  registerOperation(app, op.getUploadContent, async ({ caller, params }, reply) => {
    const { filename, content } = await openUpload(parts, caller, params.uploadId)
    // Strangers chose the bytes and the name: browsers save them and never show them.
    reply.header('content-disposition', `attachment; filename*=UTF-8''${encodedName(filename)}`)
    reply.header('cache-control', 'private, no-store')
    return content
  })
  registerOperation(app, op.deleteUpload, async ({ caller, params }) => {
    await deleteUpload(parts, caller, params.uploadId)
    return null
  })
}

/** RFC 8187 allows fewer characters than URLs do. */
function encodedName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
