import { DomainError } from '@troupe/contract'

/** @throws DomainError `validation_error` for a run of both a version and a draft */
export function requireOneSource({ versionId, draft }: { versionId?: unknown; draft?: unknown }): void {
  if (versionId === undefined || draft === undefined) return
  throw new DomainError('validation_error', 'The request is not valid.', {
    errors: [{ path: 'draft', message: 'must be absent beside versionId' }],
  })
}
