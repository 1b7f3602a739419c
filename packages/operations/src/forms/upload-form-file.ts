import { basename } from 'node:path/posix'
import {
  DomainError,
  invalidField,
  newId,
  type UploadedFile,
  UploadId,
  withoutHidden,
} from '@troupe/contract'
import { extensionOf, recogniseFile, type TextExtractor } from '@troupe/documents'
import type { FileStore, IncomingFile } from '@troupe/file-stores'
import { newStorageKey } from '@troupe/file-stores'
import { BusyError } from '@troupe/heavy-work'
import type { CompleteFormField, Form } from '@troupe/nodes/form'
import { RateLimitedError } from '@troupe/rate-limits'
import type { Database, FormUpload, UploadOutcome } from '@troupe/storage'
import type { OpenForm } from './published-forms.ts'
import { uploadQuota } from './upload-quota.ts'

const MB = 1024 * 1024
const LONGEST_NAME = 255
/** Seconds after which a visitor may retry when a file could not be read now. */
const BUSY_SECONDS = 5

export interface UploadParts {
  database: Pick<Database, 'formUploads'>
  files: FileStore
  extractor: TextExtractor
  /** Largest file, in bytes. */
  maxBytes: number
  /** Milliseconds since the epoch. */
  now: () => number
}

const REFUSALS: Record<Exclude<UploadOutcome, 'stored'>, string> = {
  full: 'Too many uploaded files have not been submitted yet. Try again later.',
  share_used:
    'Too many uploaded files from your network have not been submitted yet. Submit the form, or try again later.',
}

/** A file sent by a visitor. */
export interface SentFile {
  /** Metadata, never a path; see {@link acceptedName}. */
  filename: string
  visitor: FormUpload['visitor']
  /** Owned by the caller. */
  file: Pick<IncomingFile, 'path' | 'sizeBytes'>
}

type FileField = Extract<CompleteFormField, { type: 'file' }>

/**
 * The file field of a form with this name.
 *
 * @throws DomainError `validation_error` if there is none
 */
export function fileFieldOf(form: Form, name: unknown): FileField {
  const field = form.fields.find((one) => one.name === name)
  if (field?.type === 'file') return field
  throw invalidField('field', name === undefined ? 'is required' : 'is not a file field of this form')
}

/**
 * Stores a file for a field, with its text. The row is inserted before the bytes and deleted after them, so that no
 * bytes are orphaned. The id is unknown to the visitor until the response, so an incomplete upload cannot be submitted.
 *
 * @throws DomainError `file_rejected`; RateLimitedError when its text could not be read now, because uploads have no
 * 503
 */
export async function uploadFormFile(
  parts: UploadParts,
  { organizationId, workflowId, listenerId }: OpenForm,
  field: FileField,
  sent: SentFile,
): Promise<UploadedFile> {
  const { filename, visitor } = sent
  const { path, sizeBytes } = sent.file
  const { contentType } = await recogniseFile(path, filename)
  const text = await parts.extractor
    .extractText({ path, filename, contentType, sizeBytes, organizationId })
    .catch((error: unknown) => {
      throw error instanceof BusyError ? new RateLimitedError(error.message, BUSY_SECONDS) : error
    })
  const id = newId(UploadId)
  const storageKey = newStorageKey('form-uploads')
  const createdAt = parts.now()
  const upload = {
    id,
    organizationId,
    workflowId,
    listenerId,
    field: field.name,
    storageKey,
    filename,
    sizeBytes,
    createdAt,
    visitor,
  }
  const outcome = await parts.database.formUploads.insert(upload, uploadQuota(parts.maxBytes))
  if (outcome !== 'stored') throw rejected(REFUSALS[outcome], parts.maxBytes)
  try {
    await parts.files.put(storageKey, { path, contentType, sizeBytes })
  } catch (error) {
    // The sweeper retries a failed cleanup.
    await parts.files
      .delete(storageKey)
      .then(() => parts.database.formUploads.delete([id]))
      .catch(() => {})
    throw rejected('The file could not be stored. Try again later.', parts.maxBytes, error)
  }
  await parts.database.formUploads.arrived(id, { contentType, sizeBytes, text })
  return { fileId: id, filename, sizeBytes }
}

/**
 * The sanitized name of a file for a field, checked before its bytes are read.
 *
 * @throws DomainError `file_rejected` when the field does not accept the extension
 */
export function acceptedName(field: FileField, sent: string, maxBytes: number): string {
  const filename = nameOf(sent)
  const accepted = field.accept
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '')
  if (accepted.length === 0 || accepted.includes(`.${extensionOf(filename)}`)) return filename
  throw rejected(`This kind of file is not accepted here, only ${accepted.join(', ')}.`, maxBytes)
}

/**
 * The last path segment without control, bidirectional and invisible characters. No file is ever opened by
 * this name.
 */
function nameOf(sent: string): string {
  const last = basename(sent.replaceAll('\\', '/'))
  const clean = withoutHidden(last).trim()
  if (clean === '' || clean === '.' || clean === '..') return 'file'
  const extension = extensionOf(clean)
  if (clean.length <= LONGEST_NAME) return clean
  return `${clean.slice(0, LONGEST_NAME - extension.length - 1)}.${extension}`.toWellFormed()
}

/** Refuses an upload; every such refusal states the size limit. */
export function rejected(reason: string, maxBytes: number, cause?: unknown): DomainError {
  const limit = `A file may have at most ${maxBytes / MB} MB.`
  const internal = cause instanceof Error ? { internal: cause.message } : {}
  return new DomainError('file_rejected', `${reason} ${limit}`, internal)
}
