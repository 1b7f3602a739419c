import { and, eq } from 'drizzle-orm'
import type { Drizzle } from '../sql/drizzle.ts'
import type { UserReader } from './port.ts'
import { userAccounts, users, verifications } from './table.ts'

/** The prefix keeps a reset apart from other proofs in the table. */
export const resetName = (tokenHash: string) => `password-reset:${tokenHash}`
const MAILED = 'mailed'
export const resetValue = (mailed: boolean) => (mailed ? MAILED : 'handed over')

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
    async resetByTokenHash(tokenHash) {
      const { value, expiresAt } = verifications
      const { id, name, email, emailVerified } = users
      const [row] = await db
        .select({ value, expiresAt, user: { id, name, email, emailVerified } })
        .from(verifications)
        .innerJoin(users, eq(id, verifications.id))
        .where(eq(verifications.identifier, resetName(tokenHash)))
      if (!row) return null
      const reset = { userId: row.user.id, mailed: row.value === MAILED, expiresAt: row.expiresAt }
      return { reset, user: row.user }
    },
  }
}
