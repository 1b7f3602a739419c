import { DomainError, type OrganizationId } from '@troupe/contract'
import type { Transaction } from '@troupe/storage'

/** The error if another resource, of this organization or another one, has the id. */
export function idTaken(): DomainError {
  return new DomainError('id_taken', 'Something else already has this id. Leave `id` out to get a new one.')
}

/**
 * Refuses an id that a resource of another kind has, because runs reference their subject by id alone. An id of the
 * same kind violates its table's constraint. Of two concurrent creations with one id, the second waits here for the
 * first. The caller holds the organization: bundles, which also write rows under given ids, lock it.
 *
 * @throws DomainError `id_taken`
 */
export async function requireOwnId(
  { read, write }: Pick<Transaction, 'read' | 'write'>,
  kind: 'agent' | 'team' | 'workflow',
  { organizationId, id }: { organizationId: OrganizationId; id: string },
): Promise<void> {
  await write.organizations.holdResourceId(id)
  const kinds = await read.builder.resourceIds.kindsOf(organizationId, id)
  if (kinds.some((other) => other !== kind)) throw idTaken()
}
