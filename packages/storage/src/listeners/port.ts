import type {
  ListenerCallId,
  ListenerId,
  OrganizationId,
  ProjectId,
  UserId,
  WorkflowId,
} from '@troupe/contract'
import type { ListenerKind, workflowListeners } from '../tables/configuration/listeners.ts'

/** A test address of a workflow. */
export type ListenerRecord = Omit<typeof workflowListeners.$inferSelect, 'tokenHash' | 'startedBy'>

/** A listener to begin. */
export interface NewListener extends Omit<ListenerRecord, 'calls' | 'createdAt'> {
  /** SHA-256 of the token, hex. */
  tokenHash: string
  /** null: the operator. */
  startedBy: UserId | null
}

/** A listener with what a call of it needs. */
export interface CalledListener extends ListenerRecord {
  projectId: ProjectId | null
  /** Requests per window of the organization. */
  organizationRpm: number
}

/** A call of a listener without its body. */
export interface ListenerCallHead {
  id: ListenerCallId
  listenerId: ListenerId
  receivedAt: Date
  verdict: string
  /** The HTTP status of the response. */
  status: number
  /** For the editor only; null: there is nothing to say. */
  reason: string | null
  ip: string | null
  bodyBytes: number
}

/** A call of a listener. */
export interface ListenerCall extends ListenerCallHead {
  /** By lower-case name, without credentials. */
  headers: Record<string, string>
  /** As text. */
  body: string
  /** Bytes of what was sent that `body` holds. */
  keptBytes: number
}

export interface ListenerReader {
  /** The listener with this token in any organization; null when there is none, it has expired, or its workflow was deleted. */
  byToken(kind: ListenerKind, tokenHash: string, now: Date): Promise<CalledListener | null>
  /** The listeners of a workflow that have not expired, with the name of who began each; null: the operator. */
  list(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    now: Date,
  ): Promise<(ListenerRecord & { startedByName: string | null })[]>
  /** The calls of listeners that are kept, newest first. */
  calls(listenerIds: readonly ListenerId[]): Promise<ListenerCallHead[]>
  call(listenerId: ListenerId, id: ListenerCallId): Promise<ListenerCall | null>
}

export interface ListenerWriter {
  /**
   * Begins a listener. One of the same kind that the workflow has already is kept in its place until the new `expiresAt`, with its
   * address, its secret and its calls, so that two people who begin at once share one.
   *
   * @returns `full` when the organization has as many as it may, `deleted` when the workflow was deleted
   */
  start(listener: NewListener, now: Date): Promise<ListenerRecord | 'full' | 'deleted'>
  /** Whether there was one. Its calls go with it. */
  stop(organizationId: OrganizationId, workflowId: WorkflowId, id: ListenerId): Promise<boolean>
  /**
   * Keeps a call. Only the newest calls stay: 20 accepted ones of 4 MB in total and 20 refused ones.
   *
   * @returns false when the listener was stopped or has expired by `receivedAt`: nothing is kept
   */
  record(call: ListenerCall): Promise<boolean>
}

/** The periodic duty of listeners. */
export interface ListenerUpkeep {
  /** Deletes expired listeners with their calls. */
  sweep(now: Date): Promise<void>
}
