import { and, eq } from 'drizzle-orm'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import { apiKeys } from '../tables/tenants/api-keys.ts'
import type { ApiKeyWriter, WrittenApiKey } from './port.ts'

function columnsOf(record: WrittenApiKey) {
  const { id: _, organizationId: _organization, ...columns } = record
  return columns
}

export function apiKeyWriter({ db, signal }: WriteContext): ApiKeyWriter {
  return {
    async insert(record) {
      const { id, organizationId, secretHash } = record
      await db.insert(apiKeys).values({ id, organizationId, ...columnsOf(record) })
      // Other processes may have cached this hash as unknown.
      signal({ kind: 'api_key_changed', secretHash })
    },
    async update(record) {
      const { id, organizationId, secretHash } = record
      const where = and(eq(apiKeys.organizationId, organizationId), eq(apiKeys.id, id))
      const [before] = await db
        .select({ secretHash: apiKeys.secretHash })
        .from(apiKeys)
        .where(where)
        .for('update')
      const rows = await db.update(apiKeys).set(columnsOf(record)).where(where).returning({ id: apiKeys.id })
      onlyRow(rows, `API key ${id} in this organization`)
      signal({ kind: 'api_key_changed', secretHash })
      if (before && before.secretHash !== secretHash) {
        signal({ kind: 'api_key_changed', secretHash: before.secretHash })
      }
    },
  }
}
