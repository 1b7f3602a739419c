import { and, eq } from 'drizzle-orm'
import type { WriteContext } from '../tables/drizzle/write-context.ts'
import type { SealedSecretWriter } from './port.ts'
import { SEALED_COLUMNS } from './sealed-columns.ts'

export function sealedSecretWriter({ db }: WriteContext): SealedSecretWriter {
  return {
    async replace(organizationId, { purpose, id, envelope: read }, envelope) {
      for (const place of SEALED_COLUMNS.filter((one) => one.purpose === purpose)) {
        await db
          .update(place.table)
          .set({ [place.key]: envelope })
          .where(and(eq(place.organizationId, organizationId), eq(place.id, id), eq(place.column, read)))
      }
    },
  }
}
