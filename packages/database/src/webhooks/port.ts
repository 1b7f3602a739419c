import type {
  OrganizationId,
  ProjectId,
  WorkflowId,
  WorkflowRunId,
  WorkflowVersionId,
} from '@troupe/contract'

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

/** A published workflow behind a webhook token, with what a delivery needs to know of it. */
export interface WebhookRecord extends WebhookSecrets {
  workflowId: WorkflowId
  organizationId: OrganizationId
  projectId: ProjectId | null
  /** Of the active deployment. */
  versionId: WorkflowVersionId
  /** Requests per window of the organization. */
  organizationRpm: number
}

/** What came to a webhook. */
export interface WebhookDelivery {
  /** A UUID. */
  id: string
  organizationId: OrganizationId
  workflowId: WorkflowId
  receivedAt: Date
  /** The HTTP status that it was answered with. */
  status: number
  /** Why it was refused, for the owner only; null when it was accepted. */
  reason: string | null
  executionId: WorkflowRunId | null
  ip: string | null
  /** By lower-case name, without credentials. */
  headers: Record<string, string>
  /** The body as text, cut; `bodyBytes` is its whole length. */
  body: string
  bodyBytes: number
}

export interface WebhookReader {
  /**
   * The published workflow with this token; null for everything else, so that no caller can tell why. The one read by
   * token instead of by scope.
   */
  byToken(workflowId: WorkflowId, tokenHash: string): Promise<WebhookRecord | null>
  /** The workflow that has this token, whatever its state; for the operator only. */
  ownerOf(tokenHash: string): Promise<WorkflowId | null>
  /** null before the first publish, and for a workflow that is not the organization's. */
  secrets(organizationId: OrganizationId, workflowId: WorkflowId): Promise<WebhookSecrets | null>
  /** Newest first. */
  deliveries(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    page: { page: number; limit: number },
  ): Promise<{ rows: WebhookDelivery[]; total: number }>
  delivery(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    id: string,
  ): Promise<WebhookDelivery | null>
}

export interface WebhookWriter {
  /** Writes the secrets of a workflow. Throws SqlError 23505 when another workflow has the token. */
  putSecrets(organizationId: OrganizationId, workflowId: WorkflowId, secrets: WebhookSecrets): Promise<void>
  /**
   * Writes a delivery unless one with the same key came after `since` (milliseconds since the epoch): then that one's
   * run. Two at the same moment: the second waits for the first's transaction.
   */
  claim(
    delivery: WebhookDelivery,
    dedupeKey: string,
    since: number,
  ): Promise<{ claimed: true } | { claimed: false; executionId: WorkflowRunId | null }>
  /** Notes the run that a claimed delivery started. */
  settle(id: string, executionId: WorkflowRunId): Promise<void>
  /** Gives up the key of a delivery that started nothing, and its row: it is worth repeating. */
  release(id: string): Promise<void>
}

/** The log of deliveries, written behind the answers. */
export interface WebhookLog {
  /** Adds deliveries and keeps the newest 100 of each workflow that they belong to. */
  append(deliveries: readonly WebhookDelivery[]): Promise<void>
  /** Deletes what came before a moment, in milliseconds since the epoch. */
  sweep(before: number): Promise<void>
}
