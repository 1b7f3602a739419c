import type { NewRunMessage, RunnableKind, Scope } from '@troupe/agents/ports'
import type {
  AgentId,
  Citation,
  OrganizationId,
  ProjectId,
  RunId,
  SessionRowId,
  TeamId,
} from '@troupe/contract'

export interface SessionRecord {
  id: SessionRowId
  organizationId: OrganizationId
  projectId: ProjectId | null
  kind: RunnableKind
  entityId: AgentId | TeamId
  /** The public id. */
  sessionId: string
  userId: string
  runs: number
  createdAt: Date
  lastRunAt: Date
}

/** Filter of a list of sessions; null: any. */
export interface SessionFilter {
  agentId: AgentId | null
  teamId: TeamId | null
  userId: string | null
}

/** A message with its run, and its citations if it is an answer. */
export type StoredSessionMessage = NewRunMessage & {
  /** null: spoken without a run, in a voice session. */
  runId: RunId | null
  citations: readonly Citation[] | null
  /** Set for a spoken answer: true if it was interrupted, so that `content` is the heard part. */
  interrupted?: boolean
}

export interface SessionReader {
  /** Newest first; `total` is exact. A project scope sees only its own. */
  page(
    scope: Scope,
    filter: SessionFilter,
    page: { page: number; limit: number },
  ): Promise<{ rows: SessionRecord[]; total: number }>
  /** Sessions with a public id, in any project; several agents and teams may have it. Newest first. */
  named(
    organizationId: OrganizationId,
    sessionId: string,
    filter: Omit<SessionFilter, 'userId'>,
  ): Promise<SessionRecord[]>
  /** Messages of the session's own ended runs, oldest first. */
  messages(
    session: Pick<SessionRecord, 'organizationId' | 'id' | 'kind' | 'sessionId'>,
    page: { page: number; limit: number },
  ): Promise<{ rows: StoredSessionMessage[]; total: number }>
}

export interface SessionWriter {
  /**
   * Deletes a session with its runs and their texts; ledger rows are kept. `in_use` while one of its runs, that run's
   * workflow run, or its voice session is in flight; `gone` if another request has deleted it. Starts in the session
   * wait for this transaction.
   */
  delete(organizationId: OrganizationId, id: SessionRowId): Promise<'deleted' | 'in_use' | 'gone'>
}
