import type { OrganizationId } from '@troupe/contract'
import { managingRole } from '@troupe/operations/members/manage-members'
import type { Actor, MemberRecord, OrganizationSettings, Readers } from '@troupe/storage'
import type { ProblemList } from '../read/problem-list.ts'
import type { Step } from './step.ts'

/** The author of a bundle for one organization. */
export interface BundleAuthor {
  organizationId: OrganizationId
  actor: Actor
}

/** The author's permissions beyond an admin's; null: all. */
export type AuthorRole = 'owner' | 'admin' | null

/**
 * The role of the author, read with the rest of the plan, so that an author who was suspended in the meantime is refused.
 *
 * @throws DomainError `forbidden`
 */
export async function authorRole(read: Readers, author: BundleAuthor | null): Promise<AuthorRole> {
  if (author === null || author.actor.kind === 'operator') return null
  return managingRole(read, author.organizationId, author.actor)
}

/** Only an owner changes the slug of the organization. */
export function checkOrganizationAuthor(
  problems: ProblemList,
  role: AuthorRole,
  path: string,
  { before, after }: Step<OrganizationSettings>,
): void {
  if (role === 'admin' && before?.slug !== after.slug) {
    problems.add(`${path}.slug`, 'can be changed only by an owner')
  }
}

/**
 * Members change roles by the rules of the members page: only an owner changes owners. Joining requires an invitation,
 * and accounts belong to their people, who may be members elsewhere later.
 */
export function checkMemberAuthor(
  problems: ProblemList,
  role: AuthorRole,
  path: string,
  { before, after, account, changed }: Step<Pick<MemberRecord, 'role'>> & { account: { kind: string } },
): void {
  if (role === null || !changed) return
  if (before === null) {
    problems.add(`${path}.email`, 'is not a member yet: invite the person instead')
  } else if (account.kind !== 'none') {
    problems.add(path, 'has another name or password: users change their own')
  } else if (role === 'admin' && [before.role, after.role].includes('owner')) {
    problems.add(`${path}.role`, 'can be changed only by an owner')
  }
}
