import type { Readable } from 'node:stream'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { openUpload, type UploadedFileParts } from '@troupe/operations/uploads/uploads'

/** The content of uploads. Bytes and name are untrusted: browsers save them and never render them. */
export function registerUploadContent(app: App, parts: UploadedFileParts<Readable>): void {
  registerOperation(app, BUILDER_OPERATIONS.getUploadContent, async ({ caller, params }, reply) => {
    const { filename, content } = await openUpload(parts, caller, params.uploadId)
    reply.header('content-disposition', `attachment; filename*=UTF-8''${encodedName(filename)}`)
    reply.header('cache-control', 'private, no-store')
    return content
  })
}

/** RFC 8187 allows fewer characters than URLs do. */
function encodedName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
