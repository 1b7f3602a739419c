import { propertyOf, type UploadedFile } from '@troupe/contract'
import { receiveUpload } from '@troupe/http/receive-upload'
import type { SlowUploads } from '@troupe/http/slow-uploads'
import type { OpenForm } from '@troupe/operations/forms/published-forms'
import {
  acceptedName,
  fileFieldOf,
  rejected,
  uploadFormFile,
} from '@troupe/operations/forms/upload-form-file'
import type { FastifyRequest } from 'fastify'
import type { Forms } from '../../wiring/create-forms.ts'

/** Dependencies of {@link receiveFormFile}. */
export interface FormFileParts {
  forms: Pick<Forms, 'database' | 'files' | 'extractor' | 'incoming' | 'secret' | 'clock' | 'maxFileBytes'>
  slowUploads: Pick<SlowUploads, 'admit'>
}

/**
 * Stores the file that an admitted visitor sends for a field.
 *
 * @throws DomainError `validation_error`, `file_rejected`; RateLimitedError
 */
export async function receiveFormFile(
  { forms, slowUploads }: FormFileParts,
  form: OpenForm,
  request: FastifyRequest,
): Promise<UploadedFile> {
  const { database, files, extractor, incoming, secret, clock, maxFileBytes } = forms
  const field = fileFieldOf(form.form, propertyOf(request.query, 'field'))
  slowUploads.admit(request)
  const { filename, file: received } = await receiveUpload(request, {
    incoming,
    maxBytes: maxFileBytes,
    nameOf: (sent) => acceptedName(field, sent, maxFileBytes),
    rejected: (reason, cause) => rejected(reason, maxFileBytes, cause),
  })
  await using file = received
  const parts = { database, files, extractor, maxBytes: maxFileBytes, now: () => clock.now() }
  // Awaited here: the temporary file is deleted when this function returns.
  return await uploadFormFile(parts, form, field, {
    filename,
    file,
    visitor: secret.nameOf(request.countedAddress ?? request.ip),
  })
}
