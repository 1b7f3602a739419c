import { and, eq, sql } from 'drizzle-orm'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import { signInSessions, userAccounts, users, verifications } from '../tables/tenants/users.ts'
import type { UserWriter } from './port.ts'

export function userWriter({ db }: WriteContext): UserWriter {
  return {
    async insert({ id, name, email, emailVerified, passwordHash }) {
      await db.insert(users).values({ id, name, email, emailVerified })
      // The library looks up a password by the row whose account id and user id are both the user's id.
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
    async rename(id, name) {
      const rows = await db
        .update(users)
        .set({ name, updatedAt: sql`now()` })
        .where(eq(users.id, id))
        .returning({ id: users.id })
      onlyRow(rows, `person ${id}`)
    },
    async setPassword(id, passwordHash, before) {
      // A new session refers to this row and waits for the lock, so none can be inserted between the deletion
      // of the sessions and the commit.
      await db.select({ id: users.id }).from(users).where(eq(users.id, id)).for('update')
      const isOwn = and(eq(userAccounts.userId, id), eq(userAccounts.providerId, 'credential'))
      const rows = await db
        .update(userAccounts)
        .set({ password: passwordHash, updatedAt: sql`now()` })
        .where(before === undefined ? isOwn : and(isOwn, eq(userAccounts.password, before)))
        .returning({ id: userAccounts.id })
      if (rows.length === 0 && before !== undefined) return false
      onlyRow(rows, `password of person ${id}`)
      await db.delete(signInSessions).where(eq(signInSessions.userId, id))
      await db.delete(verifications).where(eq(verifications.id, id))
      return true
    },
    async putReset({ userId, tokenHash, mailed, expiresAt }) {
      // The row's id is the user's, so the primary key allows only one per user.
      const values = { identifier: tokenHash, value: mailed ? 'mailed' : 'handed over', expiresAt }
      await db
        .insert(verifications)
        .values({ id: userId, ...values })
        .onConflictDoUpdate({ target: verifications.id, set: { ...values, updatedAt: sql`now()` } })
    },
    async takeReset(tokenHash) {
      const rows = await db
        .delete(verifications)
        .where(eq(verifications.identifier, tokenHash))
        .returning({ id: verifications.id })
      return rows.length === 1
    },
  }
}
