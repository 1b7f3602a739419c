import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { AppliedBundle } from './apply-bundle.ts'
import { exportBundleOperation } from './export-bundle.ts'

const path = '/api/builder/bundles/archive'

/** The body of operations that take an archive of a bundle. */
export const bundleArchiveFields = {
  file: Type.String({
    contentMediaType: 'application/zip',
    description:
      'A zip archive with `bundle.yaml` and the files that it names by `path`, or of one folder with them. At most 512 MB and 20,000 files, which have at most 1 GB and 200 times its size.',
  }),
} as const

/** The answer of operations that export an archive. */
export const bundleArchiveSuccess = {
  status: 200,
  description: 'A zip archive with `bundle.yaml` and the files that it names.',
  body: Type.String({ format: 'binary' }),
  type: 'application/zip',
} as const

export const exportBundleArchiveOperation = defineOperation({
  ...exportBundleOperation,
  id: 'exportBundleArchive',
  path,
  summary: 'Export everything as a bundle with the files of uploaded documents and long skills',
  success: bundleArchiveSuccess,
})

export const applyBundleArchiveOperation = defineOperation({
  id: 'applyBundleArchive',
  method: 'POST',
  path,
  tag: 'Operator',
  summary: 'Apply a bundle with its files',
  description: 'Nothing is applied unless all of it is valid.',
  access: 'operator',
  body: Type.Object(bundleArchiveFields, { additionalProperties: false }),
  bodyType: 'multipart/form-data',
  success: { status: 200, description: 'What changed.', body: AppliedBundle },
  errors: ['validation_error'],
})
