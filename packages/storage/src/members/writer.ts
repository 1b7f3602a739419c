import { and, eq, sql } from 'drizzle-orm'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import { invitations, members } from '../tables/tenants/members.ts'
import type { InvitationWriter, MemberWriter } from './port.ts'

export function memberWriter({ db }: WriteContext): MemberWriter {
  return {
    async put({ organizationId, userId, role, status }) {
      await db
        .insert(members)
        .values({ organizationId, userId, role, status })
        .onConflictDoUpdate({ target: [members.organizationId, members.userId], set: { role, status } })
    },
    async delete(organizationId, userId) {
      const rows = await db
        .delete(members)
        .where(and(eq(members.organizationId, organizationId), eq(members.userId, userId)))
        .returning({ userId: members.userId })
      onlyRow(rows, `member ${userId} in this organization`)
    },
  }
}

export function invitationWriter({ db }: WriteContext): InvitationWriter {
  return {
    async put({ id, organizationId, email, role, tokenHash, mailed, expiresAt }) {
      const values = { id, role, tokenHash, mailed, expiresAt }
      await db
        .insert(invitations)
        .values({ organizationId, email, ...values })
        .onConflictDoUpdate({
          target: [invitations.organizationId, invitations.email],
          set: { ...values, createdAt: sql`now()` },
        })
    },
    async take(organizationId, id) {
      // Of two concurrent deletes, the second waits for the first and then finds no row.
      const rows = await db
        .delete(invitations)
        .where(and(eq(invitations.organizationId, organizationId), eq(invitations.id, id)))
        .returning({ id: invitations.id })
      return rows.length === 1
    },
  }
}
