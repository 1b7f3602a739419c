import { and, eq } from 'drizzle-orm'
import type { Drizzle } from '../sql/drizzle.ts'
import type { UserReader } from './port.ts'
import { userAccounts, users } from './table.ts'

export function userReader(db: Drizzle): UserReader {
  return {
    async byEmail(address) {
      const { id, name, email, emailVerified } = users
      const [row] = await db
        .select({ id, name, email, emailVerified })
        .from(users)
        .where(eq(email, address.toLowerCase()))
      return row ?? null
    },
    async passwordOf(id) {
      const [row] = await db
        .select({ password: userAccounts.password })
        .from(userAccounts)
        .where(and(eq(userAccounts.userId, id), eq(userAccounts.providerId, 'credential')))
      return row?.password ?? null
    },
  }
}
