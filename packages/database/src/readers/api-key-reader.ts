import type { ApiKeyId, OrganizationId, ProjectId } from '@troupe/contract'
import { asc, eq } from 'drizzle-orm'
import type { Readers } from '../database.ts'
import type { ApiKeyRecord } from '../records.ts'
import { apiKeys } from '../schema/api-keys.ts'
import { organizations } from '../schema/organizations.ts'
import type { Drizzle } from '../sql/drizzle.ts'

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

type Row = Awaited<ReturnType<typeof select>>[number]

function toRecord(row: Row): ApiKeyRecord {
  return {
    ...row,
    id: row.id as ApiKeyId,
    organizationId: row.organizationId as OrganizationId,
    projectId: row.projectId as ProjectId | null,
  }
}

export function apiKeyReader(db: Drizzle): Readers['apiKeys'] {
  return {
    async byHash(secretHash) {
      const [row] = await select(db).where(eq(apiKeys.secretHash, secretHash))
      return row ? toRecord(row) : null
    },
    async list(organizationId) {
      const rows = await select(db)
        .where(eq(apiKeys.organizationId, organizationId))
        .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
      return rows.map(toRecord)
    },
  }
}
