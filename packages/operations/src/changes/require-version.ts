import { type CurrentVersion, DomainError, invalidField, isUuid } from '@troupe/contract'
import type { LatestChange, Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'

/** An entity with a version counter. */
export interface CountedEntity {
  /** The kind in the audit log. */
  kind: string
  id: string
  version: number
}

/**
 * Checks that a change was made from the current version. The operator may leave the version out: the last write wins.
 *
 * @throws DomainError `version_conflict` with the author of the last change, or `validation_error` for a member without
 * one
 */
export async function requireVersion(
  { builder }: Pick<Readers, 'builder'>,
  { organizationId, userId }: BuilderCaller,
  { kind, id, version }: CountedEntity,
  given: number | undefined,
): Promise<void> {
  if (given === version || (given === undefined && userId === null)) return
  if (given === undefined) throw versionMissing('version')
  const latest = await builder.audit.latest(organizationId, kind, id)
  throw new DomainError('version_conflict', 'This was changed since you read it.', {
    current: currentVersion({ number: version, versionId: null }, latest),
  })
}

/**
 * Members must name the version that a change is based on, so that nobody overwrites a colleague's work unknowingly.
 */
export function versionMissing(path: string): DomainError {
  return invalidField(path, 'is required')
}

/** The state of an entity for a refused change. */
export function currentVersion(
  version: Pick<CurrentVersion, 'number' | 'versionId'>,
  latest: LatestChange | null,
): CurrentVersion {
  return {
    ...version,
    changedBy: latest && {
      kind: latest.actorKind,
      id: isUuid(latest.actorId) ? latest.actorId : null,
      name: latest.actorName,
    },
    changedAt: (latest?.at ?? new Date(0)).toISOString(),
  }
}
