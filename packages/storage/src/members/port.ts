import type { MemberRole, MemberStatus, OrganizationId, UserId } from '@troupe/contract'
import type { invitations } from '../tables/tenants/members.ts'

export interface MemberRecord {
  organizationId: OrganizationId
  userId: UserId
  name: string
  email: string
  role: MemberRole
  status: MemberStatus
  createdAt: Date
}

/** An open invitation; it may have expired. */
export type InvitationRecord = Omit<typeof invitations.$inferSelect, 'tokenHash'>

export interface MemberReader {
  /** Every organization of the user, regardless of the status of the membership. */
  organizationsOf(userId: UserId): Promise<OrganizationId[]>
  /** Active memberships of a user. */
  activeOf(userId: UserId): Promise<Pick<MemberRecord, 'organizationId' | 'role'>[]>
  /** By name. */
  list(organizationId: OrganizationId): Promise<MemberRecord[]>
  byId(organizationId: OrganizationId, userId: UserId): Promise<MemberRecord | null>
}

export interface InvitationReader {
  /**
   * The invitation with this token, including expired ones. The only read by secret instead of by
   * organization.
   */
  byTokenHash(tokenHash: string): Promise<InvitationRecord | null>
  /** Newest first, including expired ones. */
  list(organizationId: OrganizationId): Promise<InvitationRecord[]>
}

/** Callers that write members must lock the organization (`organizations.lock`) before they read. */
export interface MemberWriter {
  /** Inserts the membership, or changes its role and status. */
  put(member: Pick<MemberRecord, 'organizationId' | 'userId' | 'role' | 'status'>): Promise<void>
  delete(organizationId: OrganizationId, userId: UserId): Promise<void>
}

export interface InvitationWriter {
  /** Inserts the invitation, replacing an earlier one of the same address, whose link becomes invalid. */
  put(invitation: Omit<InvitationRecord, 'createdAt'> & { tokenHash: string }): Promise<void>
  /** Deletes the invitation; false when another caller has already done so. */
  take(organizationId: OrganizationId, id: string): Promise<boolean>
}
