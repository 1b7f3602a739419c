import { and, asc, desc, eq } from 'drizzle-orm'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { invitations, members } from '../tables/tenants/members.ts'
import { users } from '../tables/tenants/users.ts'
import type { InvitationReader, MemberReader } from './port.ts'

function selectMembers(db: Drizzle) {
  const { organizationId, userId, role, status, createdAt } = members
  const { name, email } = users
  return db
    .select({ organizationId, userId, name, email, role, status, createdAt })
    .from(members)
    .innerJoin(users, eq(users.id, userId))
    .$dynamic()
}

export function memberReader(db: Drizzle): MemberReader {
  return {
    async organizationsOf(userId) {
      const rows = await db
        .select({ organizationId: members.organizationId })
        .from(members)
        .where(eq(members.userId, userId))
        .orderBy(asc(members.createdAt), asc(members.organizationId))
      return rows.map(({ organizationId }) => organizationId)
    },
    async activeOf(userId) {
      const { organizationId, role } = members
      return db
        .select({ organizationId, role })
        .from(members)
        .where(and(eq(members.userId, userId), eq(members.status, 'active')))
        .orderBy(asc(members.createdAt), asc(organizationId))
    },
    async list(organizationId) {
      return selectMembers(db)
        .where(eq(members.organizationId, organizationId))
        .orderBy(asc(users.name), asc(users.email))
    },
    async byId(organizationId, userId) {
      const [row] = await selectMembers(db).where(
        and(eq(members.organizationId, organizationId), eq(members.userId, userId)),
      )
      return row ?? null
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

export function invitationReader(db: Drizzle): InvitationReader {
  return {
    async byTokenHash(tokenHash) {
      const [row] = await selectInvitations(db).where(eq(invitations.tokenHash, tokenHash))
      return row ?? null
    },
    async list(organizationId) {
      return selectInvitations(db)
        .where(eq(invitations.organizationId, organizationId))
        .orderBy(desc(invitations.createdAt), desc(invitations.id))
    },
  }
}
