import type { DescribeConfigVersionBody, Version } from '@troupe/builder-contract'
import type { Database, VersionedKind } from '@troupe/database'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { presentVersion } from './present-version.ts'
import { findVersion, versionNotFound, versionOwner } from './read-versions.ts'

/**
 * Labels a version; what it holds never changes.
 *
 * @throws DomainError `version_not_found`
 */
export async function describeVersion(
  { database }: { database: Pick<Database, 'transaction'> },
  caller: BuilderCaller,
  { kind, id, versionId }: { kind: VersionedKind; id: string; versionId: string },
  change: DescribeConfigVersionBody,
): Promise<Version> {
  const { organizationId, actor } = caller
  const owner = versionOwner(caller, kind, id)
  if (!owner) throw versionNotFound()
  return database.transaction(async ({ versions, write }) => {
    const before = await findVersion({ database: { versions } }, owner, versionId)
    await versions.describe(owner, before.id, change)
    const after = {
      ...before,
      ...(change.label !== undefined && { label: change.label }),
      ...(change.note !== undefined && { note: change.note }),
    }
    await write.audit.append({
      organizationId,
      projectId: null,
      actor,
      action: `${kind}_version.described`,
      entityKind: kind,
      entityId: owner.id,
      before: { versionId: before.id, number: before.number, label: before.label, note: before.note },
      after: { versionId: before.id, number: before.number, label: after.label, note: after.note },
    })
    return presentVersion(after)
  })
}
