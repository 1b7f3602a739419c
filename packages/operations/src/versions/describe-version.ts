import type { RunnableKind } from '@troupe/agents/ports'
import type { AnyVersionId, IdText } from '@troupe/contract'
import type { DescribeConfigVersionBody, Version } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { presentVersion } from './present-version.ts'
import { findVersion, versionNotFound, versionOwner } from './read-versions.ts'

/**
 * Labels a version; its content never changes.
 *
 * @throws DomainError `version_not_found`
 */
export async function describeVersion(
  { database }: { database: Pick<Database, 'transaction'> },
  caller: BuilderCaller,
  { kind, id, versionId }: { kind: RunnableKind; id: string; versionId: IdText<AnyVersionId> },
  change: DescribeConfigVersionBody,
): Promise<Version> {
  const { organizationId, actor } = caller
  const owner = versionOwner(caller, kind, id)
  if (!owner) throw versionNotFound()
  return database.transaction(async ({ versions, write }) => {
    const before = await findVersion({ database: { versions } }, owner, versionId)
    const { id: version, number, label, note } = before
    const after = { ...before, label, note, ...change }
    if (after.label !== label || after.note !== note) {
      await versions.describe(owner, version, change)
      await write.audit.append({
        organizationId,
        projectId: null,
        actor,
        action: `${kind}_version.described`,
        entityKind: kind,
        entityId: owner.id,
        before: { versionId: version, number, label, note },
        after: { versionId: version, number, label: after.label, note: after.note },
      })
    }
    return presentVersion(after)
  })
}
