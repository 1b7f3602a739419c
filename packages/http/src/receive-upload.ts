import { DomainError, propertyOf } from '@troupe/contract'
import { FileTooLargeError, type IncomingFile, type IncomingFiles } from '@troupe/file-stores'
import type { FastifyRequest } from 'fastify'
import { plainFilename, watchFilename } from './sent-filename.ts'

/** The rules for the single file of a request. */
export interface UploadRules {
  incoming: IncomingFiles
  maxBytes: number
  /** Names a file, or refuses it, before its bytes are read. Gets the sent name, with composed letters. */
  nameOf(sent: string): string
  /** A text that may be sent before the file, at most this many bytes; absent: the file is the only part. */
  text?: { name: string; maxBytes: number }
  /** The error for a file that is too large, or that cannot be written to disk. */
  rejected(reason: string, cause?: unknown): DomainError
}

/**
 * Receives a multipart body with the part `file`, and one text if the rules name one. The rest of the body is read
 * before the file is accepted, so that a second part or a missing end fails the request.
 *
 * @throws DomainError `validation_error` for any other body, or an error of the rules; the partial file is removed
 */
export async function receiveUpload(
  request: FastifyRequest,
  { incoming, maxBytes, nameOf, rejected, text }: UploadRules,
): Promise<{ filename: string; file: IncomingFile; text: string | null }> {
  // One byte above the limit, so that an oversized file is detected and the rest is not read.
  const ofText = text ? { fields: 1, parts: 3, fieldSize: text.maxBytes } : { fields: 0, parts: 2 }
  const limits = { files: 1, ...ofText, fileSize: maxBytes + 1, headerPairs: 100 }
  await using received = new AsyncDisposableStack()
  let upload: { filename: string; file: IncomingFile } | null = null
  let given: string | null = null
  const fullName = watchFilename(request.raw)
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field' && part.fieldname === text?.name) {
        if (typeof part.value !== 'string' || part.valueTruncated || upload !== null) throw oneFileWanted()
        given = part.value
        continue
      }
      if (part.type !== 'file' || part.fieldname !== 'file') throw oneFileWanted()
      const filename = nameOf(plainFilename(fullName() ?? part.filename ?? ''))
      upload = { filename, file: received.use(await incoming.receive(part.file, maxBytes)) }
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    if (error instanceof FileTooLargeError) throw rejected('The file is too large.')
    // Disk errors carry the failed system call; all others are caused by the body.
    if (typeof propertyOf(error, 'syscall') === 'string') {
      throw rejected('The file could not be stored. Try again later.', error)
    }
    throw oneFileWanted(error)
  }
  if (upload === null) throw oneFileWanted()
  received.move()
  return { ...upload, text: given }
}

function oneFileWanted(cause?: unknown): DomainError {
  return new DomainError('validation_error', 'The request is not valid.', {
    errors: [{ path: 'file', message: 'must be the only part of a multipart/form-data body' }],
    ...(cause instanceof Error ? { internal: cause.message } : {}),
  })
}
