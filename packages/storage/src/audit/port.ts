import type { AuditAction, AuditedKind, OrganizationId, ProjectId } from '@troupe/contract'
import type { ActorKind } from '../tables/tenants/audit.ts'

/** The actor of a change and its origin. */
export interface Actor {
  kind: ActorKind
  /** Id of the user or the key; null for the operator and the system. */
  id: string | null
  ip: string | null
  requestId: string | null
}

/** One change for the audit log: actor, action, state before and after (already redacted). */
export interface AuditEntry {
  organizationId: OrganizationId
  projectId: ProjectId | null
  actor: Actor
  action: AuditAction
  entityKind: AuditedKind
  entityId: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

export interface AuditWriter {
  append(entry: AuditEntry): Promise<void>
  /** Inserts up to 1,000 entries in one statement. */
  appendAll(entries: readonly AuditEntry[]): Promise<void>
}
