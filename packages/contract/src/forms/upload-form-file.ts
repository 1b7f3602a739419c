import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { FormParams, UploadedFile } from './form.ts'

export const uploadFormFileOperation = defineOperation({
  id: 'uploadFormFile',
  method: 'POST',
  path: '/api/v1/forms/{formToken}/upload',
  tag: 'Forms',
  summary: 'Upload a file for a form',
  description:
    'One call per file, sent as the only part, `file`. Its text is extracted during the upload. A file that no ' +
    'submission uses is deleted after 2 hours, a submitted one after 30 days. An upload may take longer than other ' +
    'requests while it makes progress.',
  access: 'trigger',
  params: FormParams,
  query: Type.Object({ field: Type.String({ description: 'Name of the file field.' }) }),
  body: Type.Object(
    { file: Type.String({ contentMediaType: 'application/octet-stream' }) },
    { additionalProperties: false },
  ),
  bodyType: 'multipart/form-data',
  success: { status: 201, description: 'The file is stored.', body: UploadedFile },
  errors: ['validation_error', 'unauthorized', 'forbidden', 'form_not_found', 'file_rejected'],
})
