import type { RunnableKind } from '@troupe/agents/ports'
import {
  type AnyVersionId,
  type CurrentVersion,
  DomainError,
  type IdText,
  isUuid,
  type OrganizationId,
} from '@troupe/contract'
import type { Transaction, VersionContent } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { versionMissing } from '../changes/require-version.ts'

/** A resource under its row lock. */
interface Locked {
  id: string
  organizationId: OrganizationId
  versionId: IdText<AnyVersionId>
}

/** The current version in the error of a stale change. */
function standing({ id, number, createdBy, createdAt }: VersionContent): CurrentVersion {
  const { kind, id: author, name } = createdBy
  return {
    number,
    versionId: id,
    changedBy: { kind, id: isUuid(author) ? author : null, name },
    changedAt: createdAt.toISOString(),
  }
}

/**
 * Returns a check that a change was made from the current version. The operator may omit the version: the last change
 * wins, as in bundles.
 *
 * @throws DomainError `validation_error` if a member names no version; the check itself `version_conflict`
 */
export function checkBase(
  { userId }: BuilderCaller,
  kind: RunnableKind,
  baseVersionId: IdText<AnyVersionId> | undefined,
): (before: Locked, tx: Pick<Transaction, 'versions'>) => Promise<void> {
  if (baseVersionId === undefined && userId !== null) throw versionMissing('baseVersionId')
  return async ({ id, organizationId, versionId }, { versions }) => {
    if (baseVersionId === undefined || versionId === baseVersionId.toLowerCase()) return
    const current = await versions.find({ kind, organizationId, id }, versionId)
    throw new DomainError('version_conflict', `The ${kind} was changed since this version.`, {
      ...(current && { current: standing(current) }),
    })
  }
}
