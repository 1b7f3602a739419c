import type { OrganizationId, WorkflowId } from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import type { SecretBox } from '@troupe/secrets'
import type { Transaction, WorkflowRecord } from '@troupe/storage'
import type { GivenFormPassword } from './given-form-password.ts'

export interface PublishParts {
  box: SecretBox
  /** Milliseconds since the epoch. */
  now: () => number
}

/**
 * Settings of a publish besides the graph. Omitted ones keep their stored value, or are generated if none is stored.
 */
export interface PublishSettings {
  /** In clear text, like the other settings. */
  webhookToken?: string
  signingSecret?: string
  formToken?: string
  formPassword?: GivenFormPassword
}

/** A workflow with the graph that is active from this transaction on. */
export interface PublishedGraph {
  workflow: WorkflowRecord
  graph: Graph
  /** False when this graph was already active. */
  isNewVersion: boolean
  settings: PublishSettings
}

/**
 * Synchronizes the stored state of one kind of trigger with the published graph: see `publishGraph`.
 *
 * @returns whether the audit log records a change, even when the graph was already active
 * @throws DomainError `validation_error` when the settings do not fit the graph
 */
export type TriggerPublisher = (
  parts: PublishParts,
  tx: Transaction,
  published: PublishedGraph,
) => Promise<boolean>

/** Removes trigger state that only a published workflow has: see `withdrawGraph`. */
export type TriggerWithdrawer = (
  parts: PublishParts,
  tx: Transaction,
  workflow: { organizationId: OrganizationId; id: WorkflowId },
) => Promise<void>
