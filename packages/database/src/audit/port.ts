import type { OrganizationId, ProjectId } from '@troupe/contract'
import type { ActorKind } from '@troupe/tables/tenants/audit'

/** The actor of a change and its origin. */
export interface Actor {
  kind: ActorKind
  /** Id of the user or the key; null for the operator and the system. */
  id: string | null
  ip: string | null
  requestId: string | null
}

/** Who, what, before and after (already redacted), for the audit log. */
export interface AuditEntry {
  organizationId: OrganizationId
  projectId: ProjectId | null
  actor: Actor
  /** `<noun>.<verb>`: `agent.created`. */
  action: string
  entityKind: string
  entityId: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** What an entry says that was written before. */
export interface EarlierStates {
  before: unknown
  after: unknown
}

export interface AuditWriter {
  append(entry: AuditEntry): Promise<void>
}

/** Changes that come in quick succession. */
export interface AuditJoiner {
  /**
   * Joins a change with the newest entry of its entity, when the same actor did the same within `seconds`; else appends
   * it. The joined entry keeps its time.
   */
  join(
    entry: AuditEntry,
    seconds: number,
    combine: (earlier: EarlierStates) => Pick<AuditEntry, 'before' | 'after'>,
  ): Promise<void>
}
