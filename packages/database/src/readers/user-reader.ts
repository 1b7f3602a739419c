import type { OrganizationId, UserId } from '@troupe/contract'
import { and, asc, eq } from 'drizzle-orm'
import type { Readers } from '../database.ts'
import { members } from '../schema/members.ts'
import { userAccounts, users } from '../schema/users.ts'
import type { Drizzle } from '../sql/drizzle.ts'

export function userReader(db: Drizzle): Readers['users'] {
  return {
    async byEmail(address) {
      const { id, name, email, emailVerified } = users
      const [row] = await db
        .select({ id, name, email, emailVerified })
        .from(users)
        .where(eq(email, address.toLowerCase()))
      return row ? { ...row, id: row.id as UserId } : null
    },
    async passwordOf(id) {
      const [row] = await db
        .select({ password: userAccounts.password })
        .from(userAccounts)
        .where(and(eq(userAccounts.userId, id), eq(userAccounts.providerId, 'credential')))
      return row?.password ?? null
    },
    async organizationsOf(id) {
      const rows = await db
        .select({ organizationId: members.organizationId })
        .from(members)
        .where(eq(members.userId, id))
        .orderBy(asc(members.createdAt), asc(members.organizationId))
      return rows.map(({ organizationId }) => organizationId as OrganizationId)
    },
  }
}
