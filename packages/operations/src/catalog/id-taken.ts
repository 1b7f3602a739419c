import { DomainError, type OrganizationId } from '@troupe/contract'
import type { Readers } from '@troupe/storage'

/** The error if another resource, in this organization or in another one, has the id. */
export function idTaken(): DomainError {
  return new DomainError('id_taken', 'Something else has this id already. Leave `id` out to get a new one.')
}

/**
 * Refuses the id of another kind of resource: runs reference their subject by its id. An id of the same kind violates
 * its table's constraint.
 * The caller holds or locks the organization: ids that are given to rows of other kinds come from bundles, which lock it.
 *
 * @throws DomainError `id_taken`
 */
export async function requireOwnId(
  { builder }: Pick<Readers, 'builder'>,
  kind: 'agent' | 'team' | 'workflow',
  { organizationId, id }: { organizationId: OrganizationId; id: string },
): Promise<void> {
  const kinds = await builder.resourceIds.kindsOf(organizationId, id)
  if (kinds.some((other) => other !== kind)) throw idTaken()
}
