import type { OrganizationId, UserId } from '@troupe/contract'
import { and, asc, desc, eq } from 'drizzle-orm'
import type { Readers } from '../database.ts'
import type { InvitationRecord, MemberRecord } from '../records.ts'
import { invitations, members } from '../schema/members.ts'
import { users } from '../schema/users.ts'
import type { Drizzle } from '../sql/drizzle.ts'

function selectMembers(db: Drizzle) {
  const { organizationId, userId, role, status, createdAt } = members
  const { name, email } = users
  return db
    .select({ organizationId, userId, name, email, role, status, createdAt })
    .from(members)
    .innerJoin(users, eq(users.id, userId))
    .$dynamic()
}

function toMember(row: Awaited<ReturnType<typeof selectMembers>>[number]): MemberRecord {
  return { ...row, organizationId: row.organizationId as OrganizationId, userId: row.userId as UserId }
}

export function memberReader(db: Drizzle): Readers['members'] {
  return {
    async activeOf(userId) {
      const { organizationId, role } = members
      const rows = await db
        .select({ organizationId, role })
        .from(members)
        .where(and(eq(members.userId, userId), eq(members.status, 'active')))
        .orderBy(asc(members.createdAt), asc(organizationId))
      return rows.map((row) => ({ ...row, organizationId: row.organizationId as OrganizationId }))
    },
    async list(organizationId) {
      const rows = await selectMembers(db)
        .where(eq(members.organizationId, organizationId))
        .orderBy(asc(users.name), asc(users.email))
      return rows.map(toMember)
    },
    async byId(organizationId, userId) {
      const [row] = await selectMembers(db).where(
        and(eq(members.organizationId, organizationId), eq(members.userId, userId)),
      )
      return row ? toMember(row) : null
    },
  }
}

function selectInvitations(db: Drizzle) {
  const { id, organizationId, email, role, mailed, createdAt, expiresAt } = invitations
  return db
    .select({ id, organizationId, email, role, mailed, createdAt, expiresAt })
    .from(invitations)
    .$dynamic()
}

function toInvitation(row: Awaited<ReturnType<typeof selectInvitations>>[number]): InvitationRecord {
  return { ...row, organizationId: row.organizationId as OrganizationId }
}

export function invitationReader(db: Drizzle): Readers['invitations'] {
  return {
    async byTokenHash(tokenHash) {
      const [row] = await selectInvitations(db).where(eq(invitations.tokenHash, tokenHash))
      return row ? toInvitation(row) : null
    },
    async list(organizationId) {
      const rows = await selectInvitations(db)
        .where(eq(invitations.organizationId, organizationId))
        .orderBy(desc(invitations.createdAt), desc(invitations.id))
      return rows.map(toInvitation)
    },
  }
}
