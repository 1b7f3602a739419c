import { checkedId, DomainError, type MemberRole, type OrganizationId, UserId } from '@troupe/contract'
import type { Actor, MemberRecord, Readers } from '@troupe/storage'

/**
 * The role with which an actor manages members; the operator acts as an owner. It is read in the transaction
 * under the organization's lock, so a manager who is concurrently suspended is refused.
 *
 * @throws DomainError `forbidden` for plain and suspended members, strangers and API keys
 */
export async function managingRole(
  { members }: Pick<Readers, 'members'>,
  organizationId: OrganizationId,
  actor: Actor,
): Promise<'owner' | 'admin'> {
  if (actor.kind === 'operator') return 'owner'
  if (actor.kind === 'user' && actor.id !== null) {
    const own = await members.byId(organizationId, checkedId(UserId, actor.id))
    const role = own?.status === 'active' ? own.role : null
    if (role === 'owner' || role === 'admin') return role
  }
  throw new DomainError('forbidden', 'Only owners and admins of the organization may do this.')
}

/** @throws DomainError `forbidden` when an admin would create, change or remove an owner */
export function requireOwnerFor(managing: 'owner' | 'admin', ...touched: MemberRole[]): void {
  if (managing === 'admin' && touched.includes('owner')) {
    throw new DomainError('forbidden', 'Only an owner may do this for an owner.')
  }
}

/**
 * @param next the member after the change; null: removed
 * @throws DomainError `last_owner` if the organization would have no active owner left
 */
export async function requireOwnerLeft(
  { members }: Pick<Readers, 'members'>,
  before: MemberRecord,
  next: Pick<MemberRecord, 'role' | 'status'> | null,
): Promise<void> {
  const isOwner = (one: Pick<MemberRecord, 'role' | 'status'> | null) =>
    one?.role === 'owner' && one.status === 'active'
  if (!isOwner(before) || isOwner(next)) return
  const all = await members.list(before.organizationId)
  if (all.some((one) => one.userId !== before.userId && isOwner(one))) return
  throw new DomainError(
    'last_owner',
    `${before.name} is the last active owner. Make another member an owner first.`,
  )
}

/** A member as recorded in the audit log. */
export function auditedMember({
  email,
  role,
  status,
}: Pick<MemberRecord, 'email' | 'role' | 'status'>): Record<string, unknown> {
  return { email, role, status }
}
