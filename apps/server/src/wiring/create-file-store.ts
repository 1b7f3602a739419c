import type { FileStore } from '@troupe/file-stores'
import { createDiskFileStore, createS3FileStore } from '@troupe/file-stores'
import type { Config } from '../config/config.ts'
import type { Secrets } from '../config/secrets.ts'

/** The configured store. Opens nothing before the first file. */
export function createFileStore(
  { files }: Pick<Config, 'files'>,
  { s3 }: Pick<Secrets, 's3'>,
): FileStore & AsyncDisposable {
  switch (files.kind) {
    case 'disk':
      return { ...createDiskFileStore(files.directory), async [Symbol.asyncDispose]() {} }
    case 's3':
      if (s3 === null) throw new TypeError('readConfig accepts S3 only with its keys')
      return createS3FileStore({ ...files, ...s3 })
    default:
      return files satisfies never
  }
}
