import { DomainError } from '@troupe/contract'
import type { StorageWatch } from '../observability/storage-watch.ts'
import type { App } from './server-types.ts'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** What a caller is told while nothing can be stored. */
export function storageUnavailable(): DomainError {
  return new DomainError('storage_unavailable', 'The disk of the server is full. Nothing was stored.')
}

/** Refuses everything but reads while the disk of the data folder is full: 503 `storage_unavailable`. */
export function refuseWritesWhenFull(app: App, storage: Pick<StorageWatch, 'full'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(storage.full && !READS.has(request.method) ? storageUnavailable() : undefined)
  })
}
