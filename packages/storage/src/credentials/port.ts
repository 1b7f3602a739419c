import type { Scope } from '@troupe/agents/ports'
import type { CredentialId, OrganizationId } from '@troupe/contract'
import type { credentials } from '../tables/configuration/credentials.ts'

/** A credential of tools; its secret stays sealed (see packages/secrets). */
export type CredentialRecord = typeof credentials.$inferSelect

export interface CredentialReader {
  /**
   * Those visible to the scope: an organization-scoped caller sees all of them, a project-scoped one the organization
   * level and its own project.
   */
  visible(scope: Scope): Promise<CredentialRecord[]>
  /** All of an organization, oldest first. */
  list(organizationId: OrganizationId): Promise<CredentialRecord[]>
  /** null when the organization has no such credential. */
  byId(organizationId: OrganizationId, id: CredentialId): Promise<CredentialRecord | null>
}

/** A credential as it is written. */
export type NewCredential = Omit<CredentialRecord, 'secretSetAt' | 'version' | 'createdAt' | 'updatedAt'>

export interface CredentialWriter {
  insert(record: NewCredential): Promise<void>
  /** A different sealed secret also updates the time of the secret. */
  update(record: NewCredential): Promise<void>
  delete(organizationId: OrganizationId, id: CredentialId): Promise<void>
}
