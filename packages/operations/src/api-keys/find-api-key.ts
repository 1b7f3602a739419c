import { ApiKeyId, DomainError, type IdText, type OrganizationId, parseId } from '@troupe/contract'
import type { ApiKey } from '@troupe/contract/builder'
import type { ApiKeyRecord, ApiKeyRow, Readers } from '@troupe/storage'

/** @throws DomainError `api_key_not_found`, including for keys of other organizations */
export async function findApiKey(
  { apiKeys }: Pick<Readers, 'apiKeys'>,
  organizationId: OrganizationId,
  apiKeyId: IdText<ApiKeyId>,
): Promise<ApiKeyRecord> {
  const id = parseId(ApiKeyId, apiKeyId)
  const found = id && (await apiKeys.list(organizationId)).find((one) => one.id === id)
  if (!found) throw apiKeyNotFound()
  return found
}

/** The key with names beside its ids. @throws DomainError `api_key_not_found` */
export async function showApiKey(
  { builder }: Pick<Readers, 'builder'>,
  organizationId: OrganizationId,
  id: ApiKeyRow['id'],
): Promise<ApiKey> {
  const row = await builder.apiKeys.byId(organizationId, id)
  if (!row) throw apiKeyNotFound()
  return presentApiKey(row)
}

/** A key as the builder shows it. */
export function presentApiKey(row: ApiKeyRow): ApiKey {
  const { id: apiKeyId, name, hint, projectId, projectName, rpm, replacesId } = row
  return {
    apiKeyId,
    name,
    hint,
    projectId,
    projectName,
    rpm,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdBy: row.createdBy && { userId: row.createdBy, name: row.createdByName },
    replacesId,
    createdAt: row.createdAt.toISOString(),
  }
}

/** Whether the key is neither revoked nor expired at `now`, in milliseconds since the epoch. */
export function isInForce(
  { revokedAt, expiresAt }: Pick<ApiKeyRecord, 'revokedAt' | 'expiresAt'>,
  now: number,
): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > now)
}

export function apiKeyNotFound(): DomainError {
  return new DomainError('api_key_not_found', 'API key not found in this organization.')
}
