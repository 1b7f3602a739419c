import type { MemberRole, MemberStatus, OrganizationId, UserId } from '@troupe/contract'

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
export interface InvitationRecord {
  /** A UUID. */
  id: string
  organizationId: OrganizationId
  /** In lower case. */
  email: string
  role: MemberRole
  /** Whether the link went to the address only: who opens it then reads that mailbox. */
  mailed: boolean
  createdAt: Date
  expiresAt: Date
}

export interface MemberReader {
  /** Every organization of the person, whatever the status of the membership. */
  organizationsOf(userId: UserId): Promise<OrganizationId[]>
  /** Active memberships of a person. */
  activeOf(userId: UserId): Promise<Pick<MemberRecord, 'organizationId' | 'role'>[]>
  /** By name. */
  list(organizationId: OrganizationId): Promise<MemberRecord[]>
  byId(organizationId: OrganizationId, userId: UserId): Promise<MemberRecord | null>
}

export interface InvitationReader {
  /** The one with this token, expired ones too. The one read by secret instead of by organization. */
  byTokenHash(tokenHash: string): Promise<InvitationRecord | null>
  /** Newest first, expired ones too. */
  list(organizationId: OrganizationId): Promise<InvitationRecord[]>
}

/** Whoever writes members holds the lock of the organization since before it looked (`organizations.lock`). */
export interface MemberWriter {
  /** Inserts the membership, or changes its role and status. */
  put(member: Pick<MemberRecord, 'organizationId' | 'userId' | 'role' | 'status'>): Promise<void>
  delete(organizationId: OrganizationId, userId: UserId): Promise<void>
}

export interface InvitationWriter {
  /** Inserts the invitation in place of an earlier one of the same address, whose link is then dead. */
  put(invitation: Omit<InvitationRecord, 'createdAt'> & { tokenHash: string }): Promise<void>
  /** Takes the invitation away; false when somebody else has done so before. */
  take(organizationId: OrganizationId, id: string): Promise<boolean>
}
