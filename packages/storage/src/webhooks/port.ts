import type {
  DeliveryId,
  OrganizationId,
  ProjectId,
  WorkflowId,
  WorkflowRunId,
  WorkflowVersionId,
} from '@troupe/contract'
import type { webhookDeliveries } from '../tables/configuration/webhooks.ts'

/** The secrets of a workflow's webhook, sealed by the server. */
export interface WebhookSecrets {
  /** SHA-256 of the token, hex. */
  tokenHash: string
  tokenSealed: string
  signingSecretSealed: string
  /** The secret before the last rotation, accepted until `previousSecretUntil`. */
  previousSecretSealed: string | null
  previousSecretUntil: Date | null
}

/** A published workflow behind a webhook token, with the fields that a delivery needs. */
export interface WebhookRecord extends WebhookSecrets {
  workflowId: WorkflowId
  organizationId: OrganizationId
  projectId: ProjectId | null
  /** The version of the active deployment. */
  versionId: WorkflowVersionId
  /** Requests per window of the organization. */
  organizationRpm: number
}

/** A delivery to a webhook. */
export type WebhookDelivery = Omit<typeof webhookDeliveries.$inferSelect, 'dedupeKey'>

export interface WebhookReader {
  /**
   * The published workflow with this token; null in every other case, so that callers cannot tell the reason. The only
   * read by token instead of by scope.
   */
  byToken(workflowId: WorkflowId, tokenHash: string): Promise<WebhookRecord | null>
  /** The workflow with this token, in any state; for the operator only. */
  ownerOf(tokenHash: string): Promise<WorkflowId | null>
  /** null before the first publish, and for a workflow of another organization. */
  secrets(organizationId: OrganizationId, workflowId: WorkflowId): Promise<WebhookSecrets | null>
  /** Newest first, without their bodies. `after`: only those before the delivery with this id; none if it is deleted. */
  deliveries(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    page: { after: DeliveryId | null; limit: number },
  ): Promise<Omit<WebhookDelivery, 'body'>[]>
  delivery(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    id: DeliveryId,
  ): Promise<WebhookDelivery | null>
}

export interface WebhookWriter {
  /** Writes the secrets of a workflow. Throws SqlError 23505 when another workflow has the token. */
  putSecrets(organizationId: OrganizationId, workflowId: WorkflowId, secrets: WebhookSecrets): Promise<void>
  /**
   * Claims a delivery, or returns the run of one with the same key received after `since` (milliseconds since
   * the epoch). Of two concurrent claims, the second waits for the first's transaction.
   */
  claim(
    delivery: WebhookDelivery,
    dedupeKey: string,
    since: number,
  ): Promise<{ claimed: true } | { claimed: false; executionId: WorkflowRunId | null }>
  /** Records the run that a claimed delivery started. */
  settle(id: DeliveryId, executionId: WorkflowRunId): Promise<void>
  /** Deletes a delivery that started nothing and releases its key, so that the sender can retry. */
  release(id: DeliveryId): Promise<void>
}

/** The log of deliveries, written after the responses. */
export interface WebhookLog {
  /** Appends deliveries and keeps the newest 100 of each workflow involved. */
  append(deliveries: readonly WebhookDelivery[]): Promise<void>
  /** Deletes deliveries received before a given time, in milliseconds since the epoch. */
  sweep(before: number): Promise<void>
}
