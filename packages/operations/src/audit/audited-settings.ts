import type {
  Actor,
  AuditEntry,
  NewCredential,
  NewMcpServer,
  OrganizationSettings,
  ProjectRecord,
  WrittenApiKey,
  WrittenLlmConfiguration,
} from '@troupe/storage'
import { redact } from './redact.ts'

/** An organization as recorded in the audit log. */
export function auditedOrganization({ id: _, ...settings }: OrganizationSettings) {
  return settings
}

/** The entry of an organization that an actor has created (`before` is null) or changed. */
export function organizationEntry(
  actor: Actor,
  before: OrganizationSettings | null,
  after: OrganizationSettings,
): AuditEntry {
  return {
    organizationId: after.id,
    projectId: null,
    actor,
    action: before ? 'organization.updated' : 'organization.created',
    entityKind: 'organization',
    entityId: after.id,
    before: before && auditedOrganization(before),
    after: auditedOrganization(after),
  }
}

/** A project as recorded in the audit log. */
export function auditedProject({ slug, name }: Pick<ProjectRecord, 'slug' | 'name'>) {
  return { slug, name }
}

/**
 * A key as recorded in the audit log. The hash prefix shows that a secret was replaced, and reveals nothing about it.
 */
export function auditedKey({ name, projectId, rpm, expiresAt, revokedAt, secretHash }: WrittenApiKey) {
  return {
    name,
    projectId,
    rpm,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    fingerprint: secretHash.slice(0, 8),
  }
}

/** A credential as recorded in the audit log: everything but the secret. */
export function auditedCredential(record: NewCredential, isSecretReplaced = false): Record<string, unknown> {
  const { slug, name, projectId, kind, username, field, hosts } = record
  const settings = { slug, name, projectId, kind, username, field, hosts }
  return isSecretReplaced ? { ...settings, secretChanged: true } : settings
}

/** An MCP server as recorded in the audit log. */
export function auditedMcpServer({ slug, name, projectId, url, credentialId }: NewMcpServer) {
  return { slug, name, projectId, url, credentialId }
}

/** An LLM configuration as recorded in the audit log. */
export function auditedLlmConfiguration(record: WrittenLlmConfiguration): Record<string, unknown> {
  const { slug, name, projectId, providerId, status, isDefault, baseUrl, sealedCredentials } = record
  return {
    slug,
    name,
    projectId,
    providerId,
    status,
    isDefault,
    baseUrl,
    hasCredentials: sealedCredentials !== null,
    settings: redact(record.settings),
    models: record.models,
    allowUnlistedModels: record.allowUnlistedModels,
  }
}
