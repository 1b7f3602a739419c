import { invalidField } from '@troupe/contract'

/** @throws DomainError `validation_error` for a run of both a version and a draft */
export function requireOneSource({ versionId, draft }: { versionId?: unknown; draft?: unknown }): void {
  if (versionId === undefined || draft === undefined) return
  throw invalidField('draft', 'must be absent beside versionId')
}
