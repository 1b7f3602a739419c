import type { ApiKeyId, OrganizationId, ProjectId, UserId } from '@troupe/contract'

/** An API key with the organization settings that every request needs; one joined read. */
export interface ApiKeyRecord {
  id: ApiKeyId
  organizationId: OrganizationId
  /** null: organization-scoped. */
  projectId: ProjectId | null
  name: string
  /** SHA-256 of the secret, hex. */
  secretHash: string
  /** Requests per window of this key; null: only the organization's limit applies. */
  rpm: number | null
  expiresAt: Date | null
  revokedAt: Date | null
  /** Requests per window of the organization. */
  organizationRpm: number
}

export interface ApiKeyReader {
  /**
   * The key with this hash, in any state; null when there is none. The only read by secret instead of by
   * scope.
   */
  byHash(secretHash: string): Promise<ApiKeyRecord | null>
  /** The keys with these hashes, in any state; one statement. */
  byHashes(secretHashes: readonly string[]): Promise<ApiKeyRecord[]>
  list(organizationId: OrganizationId): Promise<ApiKeyRecord[]>
}

/** An API key as it is written; absent fields are unchanged. */
export interface WrittenApiKey extends Omit<ApiKeyRecord, 'organizationRpm'> {
  /** The last characters of the secret. */
  hint?: string
  /** The person who created it. */
  createdBy?: UserId | null
  /** The key that this one replaces. */
  replacesId?: ApiKeyId
}

export interface ApiKeyWriter {
  insert(record: WrittenApiKey): Promise<void>
  update(record: WrittenApiKey): Promise<void>
}
