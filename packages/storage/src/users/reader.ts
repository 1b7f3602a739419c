import { and, eq } from 'drizzle-orm'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { userAccounts, users, verifications } from '../tables/tenants/users.ts'
import type { UserReader } from './port.ts'

const { id, name, email, emailVerified } = users
const userColumns = { id, name, email, emailVerified }

export function userReader(db: Drizzle): UserReader {
  return {
    async byEmail(address) {
      const [row] = await db.select(userColumns).from(users).where(eq(users.email, address.toLowerCase()))
      return row ?? null
    },
    async passwordOf(id) {
      const [row] = await db
        .select({ password: userAccounts.password })
        .from(userAccounts)
        .where(and(eq(userAccounts.userId, id), eq(userAccounts.providerId, 'credential')))
      return row?.password ?? null
    },
    async resetByTokenHash(tokenHash) {
      const { value, expiresAt } = verifications
      const [row] = await db
        .select({ ...userColumns, value, expiresAt })
        .from(verifications)
        .innerJoin(users, eq(users.id, verifications.id))
        .where(eq(verifications.identifier, tokenHash))
      return row ? { ...row, mailed: row.value === 'mailed' } : null
    },
  }
}
