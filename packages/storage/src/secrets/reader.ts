import { and, eq, isNotNull } from 'drizzle-orm'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import type { SealedSecret, SealedSecretReader } from './port.ts'
import { SEALED_COLUMNS } from './sealed-columns.ts'

export function sealedSecretReader(db: Drizzle): SealedSecretReader {
  return {
    async list(organizationId) {
      const found: SealedSecret[] = []
      for (const { purpose, table, id, column, organizationId: owner } of SEALED_COLUMNS) {
        const rows = await db
          .select({ id, envelope: column })
          .from(table)
          .where(and(eq(owner, organizationId), isNotNull(column)))
        found.push(...rows.map((row) => ({ purpose, id: String(row.id), envelope: String(row.envelope) })))
      }
      return found
    },
  }
}
