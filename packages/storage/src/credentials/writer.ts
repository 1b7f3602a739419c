import { and, eq, sql } from 'drizzle-orm'
import { credentials } from '../tables/configuration/credentials.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import type { CredentialWriter } from './port.ts'

export function credentialWriter({ db }: WriteContext): CredentialWriter {
  return {
    async insert(record) {
      await db.insert(credentials).values(record)
    },
    async update({ id, organizationId, ...columns }) {
      const isOther = sql`${credentials.sealedSecret} <> ${columns.sealedSecret}`
      const rows = await db
        .update(credentials)
        .set({
          ...columns,
          secretSetAt: sql`CASE WHEN ${isOther} THEN now() ELSE ${credentials.secretSetAt} END`,
          version: sql`${credentials.version} + 1`,
          updatedAt: sql`now()`,
        })
        .where(and(eq(credentials.organizationId, organizationId), eq(credentials.id, id)))
        .returning({ id: credentials.id })
      onlyRow(rows, `credential ${id} in this organization`)
    },
    async delete(organizationId, id) {
      await db
        .delete(credentials)
        .where(and(eq(credentials.organizationId, organizationId), eq(credentials.id, id)))
    },
  }
}
