import { DomainError, propertyOf } from '@troupe/contract'
import { FileTooLargeError, type IncomingFile, type IncomingFiles } from '@troupe/file-stores'
import type { FastifyRequest } from 'fastify'

/** How the one file of a request is taken. */
export interface UploadRules {
  incoming: IncomingFiles
  maxBytes: number
  /** Gives a file its name, or refuses it, before its bytes are read. */
  nameOf(sent: string): string
  /** What is thrown for a file that is too large, or that the disk does not take. */
  rejected(reason: string, cause?: unknown): DomainError
}

/**
 * Takes a multipart body that is one part, `file`. The rest of the body is read as well before the file counts: a second
 * part, or an end that never comes, is a failure of the request and not of nobody.
 *
 * @throws DomainError `validation_error` for any other body, or what the rules throw; nothing stays behind
 */
export async function receiveUpload(
  request: FastifyRequest,
  { incoming, maxBytes, nameOf, rejected }: UploadRules,
): Promise<{ filename: string; file: IncomingFile }> {
  // One byte more than may come, so that the file is known to be too large and the rest is not read.
  const limits = { files: 1, fields: 0, parts: 2, fileSize: maxBytes + 1, headerPairs: 100 }
  await using received = new AsyncDisposableStack()
  let upload: { filename: string; file: IncomingFile } | null = null
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type !== 'file' || part.fieldname !== 'file') throw oneFileWanted()
      const filename = nameOf(part.filename ?? '')
      upload = { filename, file: received.use(await incoming.receive(part.file, maxBytes)) }
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    if (error instanceof FileTooLargeError) throw rejected('The file is too large.')
    // Failures of the disk name the call that failed; everything else is the body's.
    if (typeof propertyOf(error, 'syscall') === 'string') {
      throw rejected('The file could not be stored. Try again later.', error)
    }
    throw oneFileWanted(error)
  }
  if (upload === null) throw oneFileWanted()
  received.move()
  return upload
}

function oneFileWanted(cause?: unknown): DomainError {
  return new DomainError('validation_error', 'The request is not valid.', {
    errors: [{ path: 'file', message: 'must be the one part of a multipart/form-data body' }],
    ...(cause instanceof Error ? { internal: cause.message } : {}),
  })
}
