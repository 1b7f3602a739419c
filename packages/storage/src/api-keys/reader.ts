import { asc, eq, inArray } from 'drizzle-orm'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { apiKeys } from '../tables/tenants/api-keys.ts'
import { organizations } from '../tables/tenants/organizations.ts'
import type { ApiKeyReader } from './port.ts'

const columns = {
  id: apiKeys.id,
  organizationId: apiKeys.organizationId,
  projectId: apiKeys.projectId,
  name: apiKeys.name,
  secretHash: apiKeys.secretHash,
  rpm: apiKeys.rpm,
  expiresAt: apiKeys.expiresAt,
  revokedAt: apiKeys.revokedAt,
  organizationRpm: organizations.rpm,
}

function select(db: Drizzle) {
  return db
    .select(columns)
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.id, apiKeys.organizationId))
    .$dynamic()
}

export function apiKeyReader(db: Drizzle): ApiKeyReader {
  return {
    async byHash(secretHash) {
      const [row] = await select(db).where(eq(apiKeys.secretHash, secretHash))
      return row ?? null
    },
    byHashes: async (secretHashes) => select(db).where(inArray(apiKeys.secretHash, [...secretHashes])),
    async list(organizationId) {
      return select(db)
        .where(eq(apiKeys.organizationId, organizationId))
        .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
    },
  }
}
