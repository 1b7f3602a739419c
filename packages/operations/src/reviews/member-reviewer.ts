import { DomainError } from '@troupe/contract'
import type { Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import type { Reviewer } from './reviewer.ts'

/**
 * The caller as a reviewer, read within the deciding transaction, so that a committed suspension counts.
 *
 * @throws DomainError `not_a_reviewer` for the operator, who is not a person, and for members who were removed meanwhile
 */
export async function memberReviewer(
  { members }: Pick<Readers, 'members'>,
  { organizationId, userId }: BuilderCaller,
): Promise<Extract<Reviewer, { type: 'user' }>> {
  const member = userId === null ? null : await members.byId(organizationId, userId)
  if (member?.status !== 'active') {
    throw new DomainError('not_a_reviewer', 'Only a signed-in member can decide a review or an approval.')
  }
  return { type: 'user', id: member.userId, name: member.name, role: member.role }
}
