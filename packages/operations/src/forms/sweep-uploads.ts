import type { FileStore } from '@troupe/file-stores'
import type { FormUploads } from '@troupe/storage'
import { ENDED_UPLOAD_MS, UNUSED_UPLOAD_MS, USED_UPLOAD_MS } from './upload-retention.ts'

const BATCH = 100

/**
 * Deletes expired uploads, the bytes before the row, so that the next sweep retries a failure in between. Any
 * number of processes may sweep concurrently, because deletion is idempotent.
 *
 * @param now milliseconds since the epoch
 * @throws AggregateError when files cannot be deleted; the others are
 */
export async function sweepUploads(
  { uploads, files }: { uploads: FormUploads; files: Pick<FileStore, 'delete'> },
  now: number,
): Promise<void> {
  const before = {
    unused: now - UNUSED_UPLOAD_MS,
    used: now - USED_UPLOAD_MS,
    ofEnded: now - ENDED_UPLOAD_MS,
    now,
  }
  for (;;) {
    const expired = await uploads.expired(before, BATCH)
    const outcomes = await Promise.allSettled(expired.map(({ storageKey }) => files.delete(storageKey)))
    const gone = expired.filter((_, at) => outcomes[at]?.status === 'fulfilled')
    await uploads.delete(gone.map(({ id }) => id))
    if (gone.length < expired.length) {
      const errors = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      throw new AggregateError(errors, `${errors.length} uploads of forms could not be deleted`)
    }
    if (expired.length < BATCH) return
  }
}
