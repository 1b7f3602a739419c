import { and, eq, sql } from 'drizzle-orm'
import { onlyRow, type WriteContext } from '../sql/write-context.ts'
import type { UserWriter } from './port.ts'
import { signInSessions, userAccounts, users } from './table.ts'

export function userWriter({ db }: WriteContext): UserWriter {
  return {
    async insert({ id, name, email, emailVerified, passwordHash }) {
      await db.insert(users).values({ id, name, email, emailVerified })
      // The library looks up the password in the row whose account id and user id are both the user's id.
      await db
        .insert(userAccounts)
        .values({ id, userId: id, accountId: id, providerId: 'credential', password: passwordHash })
    },
    async update({ id, name, emailVerified }) {
      const rows = await db
        .update(users)
        .set({ name, emailVerified, updatedAt: sql`now()` })
        .where(eq(users.id, id))
        .returning({ id: users.id })
      onlyRow(rows, `person ${id}`)
    },
    async setPassword(id, passwordHash) {
      const rows = await db
        .update(userAccounts)
        .set({ password: passwordHash, updatedAt: sql`now()` })
        .where(and(eq(userAccounts.userId, id), eq(userAccounts.providerId, 'credential')))
        .returning({ id: userAccounts.id })
      onlyRow(rows, `password of person ${id}`)
      await db.delete(signInSessions).where(eq(signInSessions.userId, id))
    },
  }
}
