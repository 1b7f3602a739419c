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

/** A listener to create. */
export interface NewListener extends Omit<ListenerRecord, 'calls' | 'createdAt'> {
  /** SHA-256 of the token, hex. */
  tokenHash: string
  /** null: the operator. */
  startedBy: UserId | null
}

/** A listener with the fields that a call needs. */
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
  /** Shown only in the editor; null without a reason. */
  reason: string | null
  ip: string | null
  bodyBytes: number
}

/** A call of a listener. */
export interface ListenerCall extends ListenerCallHead {
  /** Values by lower-case name, without credentials. */
  headers: Record<string, string>
  /** The body as text. */
  body: string
  /** The number of received bytes that `body` contains. */
  keptBytes: number
}

export interface ListenerReader {
  /** The listener with this token in any organization; null when there is none, it has expired, or its workflow was deleted. */
  byToken(kind: ListenerKind, tokenHash: string, now: Date): Promise<CalledListener | null>
  /**
   * The listeners of a workflow that have not expired, with the names of the people who started them; null: the
   * operator.
   */
  list(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    now: Date,
  ): Promise<(ListenerRecord & { startedByName: string | null })[]>
  /** The stored calls of listeners, newest first. */
  calls(listenerIds: readonly ListenerId[]): Promise<ListenerCallHead[]>
  call(listenerId: ListenerId, id: ListenerCallId): Promise<ListenerCall | null>
}

export interface ListenerWriter {
  /**
   * Starts a listener. If the workflow already has one of the same kind, that one is extended to the new `expiresAt`
   * and keeps its address, secret and calls, so that two people who start one at the same time share it.
   *
   * @returns `full` at the organization's limit; `deleted` if the workflow has been deleted
   */
  start(listener: NewListener, now: Date): Promise<ListenerRecord | 'full' | 'deleted'>
  /** Deletes the listener with its calls. Returns whether it existed. */
  stop(organizationId: OrganizationId, workflowId: WorkflowId, id: ListenerId): Promise<boolean>
  /**
   * Stores a call. Only the newest calls are kept: 20 accepted ones of at most 4 MB in total, and 20 refused ones.
   *
   * @returns false, with nothing stored, if the listener was stopped or has expired by `receivedAt`
   */
  record(call: ListenerCall): Promise<boolean>
}

/** Periodic cleanup of listeners. */
export interface ListenerUpkeep {
  /** Deletes expired listeners with their calls. */
  sweep(now: Date): Promise<void>
}
