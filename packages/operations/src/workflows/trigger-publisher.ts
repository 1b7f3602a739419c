import type { OrganizationId, WorkflowId } from '@troupe/contract'
import type { Transaction, WorkflowRecord } from '@troupe/database'
import type { Graph } from '@troupe/graph'
import type { Passwords, SecretBox } from '@troupe/secrets'

/** What the parts of publishing use. */
export interface PublishParts {
  box: SecretBox
  /** Hashes the passwords of forms. */
  passwords: Passwords
  /** Milliseconds since the epoch. */
  now: () => number
}

/** What whoever publishes sets beside the graph. What is left out stays as it is, or is made up when there is none. */
export interface PublishSettings {
  /** In clear text, as are the others. */
  webhookToken?: string
  signingSecret?: string
  formToken?: string
  formPassword?: string
}

/** A workflow with a graph that is what callers run from this transaction on. */
export interface PublishedGraph {
  workflow: WorkflowRecord
  graph: Graph
  /** False when callers ran this graph before already. */
  isNewVersion: boolean
  settings: PublishSettings
}

/**
 * Brings what hangs on one kind of trigger in line with the published graph: see `publishGraph`.
 *
 * @returns whether the workflow counts as changed, for the audit log, even when callers run its graph already
 * @throws DomainError `validation_error` when the settings do not fit the graph
 */
export type TriggerPublisher = (
  parts: PublishParts,
  tx: Transaction,
  published: PublishedGraph,
) => Promise<boolean>

/** Takes back what only a published workflow has: see `withdrawGraph`. */
export type TriggerWithdrawer = (
  parts: PublishParts,
  tx: Transaction,
  workflow: { organizationId: OrganizationId; id: WorkflowId },
) => Promise<void>
