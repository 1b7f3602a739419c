import { and, eq, sql } from 'drizzle-orm'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import { doNotCall } from '../tables/voice/do-not-call.ts'
import { phoneNumbers } from '../tables/voice/phone-numbers.ts'
import { phoneTrunks } from '../tables/voice/phone-trunks.ts'
import type { PhoneWriter } from './port.ts'

export function phoneWriter({ db }: WriteContext): PhoneWriter {
  return {
    async insertTrunk(record) {
      await db.insert(phoneTrunks).values(record)
    },
    async updateTrunk({ id, organizationId, ...columns }) {
      const rows = await db
        .update(phoneTrunks)
        .set({ ...columns, version: sql`${phoneTrunks.version} + 1`, updatedAt: sql`now()` })
        .where(and(eq(phoneTrunks.organizationId, organizationId), eq(phoneTrunks.id, id)))
        .returning({ id: phoneTrunks.id })
      onlyRow(rows, `trunk ${id} in this organization`)
      await db
        .update(phoneNumbers)
        .set({ projectId: columns.projectId })
        .where(and(eq(phoneNumbers.organizationId, organizationId), eq(phoneNumbers.trunkId, id)))
    },
    async deleteTrunk(organizationId, id) {
      await db
        .delete(phoneTrunks)
        .where(and(eq(phoneTrunks.organizationId, organizationId), eq(phoneTrunks.id, id)))
    },
    async insertNumber(record) {
      await db.insert(phoneNumbers).values(record)
    },
    async updateNumber({ id, organizationId, ...columns }) {
      const rows = await db
        .update(phoneNumbers)
        .set({ ...columns, version: sql`${phoneNumbers.version} + 1`, updatedAt: sql`now()` })
        .where(and(eq(phoneNumbers.organizationId, organizationId), eq(phoneNumbers.id, id)))
        .returning({ id: phoneNumbers.id })
      onlyRow(rows, `phone number ${id} in this organization`)
    },
    async deleteNumber(organizationId, id) {
      await db
        .delete(phoneNumbers)
        .where(and(eq(phoneNumbers.organizationId, organizationId), eq(phoneNumbers.id, id)))
    },
    async putDoNotCall(record) {
      const { status, reason } = record
      await db
        .insert(doNotCall)
        .values(record)
        .onConflictDoUpdate({ target: [doNotCall.organizationId, doNotCall.e164], set: { status, reason } })
    },
    async confirmDoNotCall(organizationId, numbers, reason) {
      // Sorted, so that two lists with the same numbers lock the rows in the same order and cannot deadlock.
      const sorted = [...numbers].sort()
      const rows = await db
        .insert(doNotCall)
        .values(sorted.map((e164) => ({ organizationId, e164, status: 'confirmed' as const, reason })))
        .onConflictDoUpdate({
          target: [doNotCall.organizationId, doNotCall.e164],
          set: { status: 'confirmed', reason },
          setWhere: eq(doNotCall.status, 'proposed'),
        })
        .returning({ e164: doNotCall.e164 })
      return rows.map(({ e164 }) => e164)
    },
    async deleteDoNotCall(organizationId, e164) {
      const rows = await db
        .delete(doNotCall)
        .where(and(eq(doNotCall.organizationId, organizationId), eq(doNotCall.e164, e164)))
        .returning({ e164: doNotCall.e164 })
      return rows.length > 0
    },
  }
}
