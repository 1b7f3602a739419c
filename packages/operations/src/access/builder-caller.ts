import type { MemberRole, OrganizationId, UserId } from '@troupe/contract'
import type { Actor } from '@troupe/storage'

/**
 * The caller of a builder operation: an active member, or the operator, who acts as an owner. It is also a `Scope` of
 * the whole organization, so readers accept it directly.
 */
export interface BuilderCaller {
  readonly organizationId: OrganizationId
  /** Members see every project. */
  readonly projectId: null
  readonly role: MemberRole
  /** null for the operator. */
  readonly userId: UserId | null
  /** For the audit log. */
  readonly actor: Actor
}
