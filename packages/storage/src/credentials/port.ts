import type { Scope } from '@troupe/agents/ports'
import type { CredentialId, CredentialKind, OrganizationId, ProjectId } from '@troupe/contract'

/** A credential of tools; its secret stays sealed (see packages/secrets). */
export interface CredentialRecord {
  id: CredentialId
  organizationId: OrganizationId
  /** null: organization level. */
  projectId: ProjectId | null
  slug: string
  name: string
  kind: CredentialKind
  /** For `basic`, else null. */
  username: string | null
  /** The header or query parameter of `header` and `query`, else null. */
  field: string | null
  /** AES-256-GCM envelope as text. */
  sealedSecret: string
  secretSetAt: Date
  /** In lower case. */
  hosts: string[]
  /** Increases with every change. */
  version: number
  createdAt: Date
  updatedAt: Date
}

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
