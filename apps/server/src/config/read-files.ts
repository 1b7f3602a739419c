import type { Problems } from './problems.ts'
import type { Values } from './read-values.ts'

/** Where uploaded files are stored. */
export type FilesConfig =
  /** Absolute path. */
  | { kind: 'disk'; directory: string }
  /** The endpoint is a URL without a trailing slash; its keys are secrets. */
  | { kind: 's3'; endpoint: string; bucket: string; region: string }

const NEEDED = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
const NEED_ENDPOINT = [...NEEDED, 'S3_REGION'] as const
/** Bucket names that every store accepts and that form a single path segment. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const REGION = /^[a-z0-9-]{1,64}$/

/** Reads the settings of the file store: S3 with all of its settings, or the disk. */
export function readFiles(values: Values, directory: string, problems: Problems): FilesConfig {
  const url = values.url('S3_ENDPOINT', ['http', 'https'])
  if (url === null) {
    for (const name of values.text('S3_ENDPOINT') === null ? NEED_ENDPOINT : []) {
      if (values.text(name) === null) continue
      problems.add(`${name} is set, but S3_ENDPOINT is not. Set all S3 variables, or none.`)
    }
    return { kind: 'disk', directory }
  }
  for (const name of NEEDED) {
    if (values.text(name) === null)
      problems.add(`S3_ENDPOINT is set, but ${name} is not. Set all S3 variables, or none.`)
  }
  if (url.username || url.password || url.search || url.hash) {
    problems.add('S3_ENDPOINT must not have a user name, a query or a fragment.')
  }
  const bucket = values.text('S3_BUCKET') ?? ''
  if (bucket !== '' && !BUCKET.test(bucket)) {
    problems.add('S3_BUCKET must be 3 to 63 lower-case letters, digits, dots and hyphens.')
  }
  const region = values.text('S3_REGION') ?? 'us-east-1'
  if (!REGION.test(region)) problems.add('S3_REGION must be the name of a region, such as us-east-1.')
  return { kind: 's3', endpoint: url.href.replace(/\/+$/, ''), bucket, region }
}
