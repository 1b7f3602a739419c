import type { Clock } from '@troupe/agents/ports'
import {
  DeliveryId,
  DomainError,
  MAX_BODY_BYTES,
  type NewId,
  parseJsonBody,
  type RequestHeaders,
  requirePlainUtf8,
  statusOf,
  type WorkflowRunId,
} from '@troupe/contract'
import type { Limited, RateLimiter, Usage } from '@troupe/rate-limits'
import type { WebhookDelivery } from '@troupe/storage'
import type { WorkflowRunner, WorkflowRunRequest } from '@troupe/workflows'
import type { ApiKeyCache } from '../access/api-key-cache.ts'
import { rpmInForce } from '../limits/limit-ceilings.ts'
import { withCurrentVersion } from '../workflow-runs/with-current-version.ts'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'
import { authenticateDelivery, type WebhookRequest } from './authenticate-delivery.ts'
import { type DeliveryRecorder, loggedBody, loggedHeaders } from './delivery-recorder.ts'
import type { PublishedWebhook } from './published-webhooks.ts'
import { dedupeKeyOf, type StartDeliveryParts, startOnce } from './start-delivery.ts'

export interface DeliveryParts extends StartDeliveryParts {
  runner: Pick<WorkflowRunner, 'start' | 'startWithin' | 'send'>
  graphs: Pick<WorkflowGraphs, 'rejectsDuplicates'>
  apiKeys: Pick<ApiKeyCache, 'find'>
  rateLimiter: Pick<RateLimiter, 'count'>
  /** The operator's ceiling over the requests per minute of organizations. */
  rpmCeiling: number | null
  recorder: Pick<DeliveryRecorder, 'record'>
  clock: Clock
  newId: NewId
}

/** A delivery with the facts of its connection. */
export interface ReceivedDelivery extends WebhookRequest {
  /** The currently published webhook, past the cache; null if it is no longer published. */
  reload(): Promise<PublishedWebhook | null>
  /** Checks the counted request against the limits and sets the rate-limit headers; null: accepted. */
  judge(principal: Limited, usage: Usage, now: number): DomainError | null
  /** Counts a failed authentication against the sender. */
  failed(): Promise<void>
}

/**
 * Starts the run of a delivery, in this order: authentication, limits, body, start. Every outcome is written
 * to the delivery log.
 *
 * @throws DomainError `unauthorized`, `rate_limit_exceeded`, `validation_error`, `workflow_not_found`,
 * `concurrency_limit_reached`, `execution_create_failed`
 */
export async function receiveDelivery(
  webhooks: DeliveryParts,
  webhook: PublishedWebhook,
  received: ReceivedDelivery,
): Promise<WorkflowRunId> {
  const { clock, newId, recorder } = webhooks
  const delivery: WebhookDelivery = {
    id: newId(DeliveryId),
    organizationId: webhook.organizationId,
    workflowId: webhook.workflowId,
    receivedAt: new Date(clock.now()),
    status: 202,
    reason: null,
    executionId: null,
    ip: received.ip,
    headers: loggedHeaders(received.distinct),
    ...loggedBody(received.raw),
  }
  try {
    const { runId, isRecorded, reason } = await accept(webhooks, webhook, received, delivery)
    if (!isRecorded) recorder.record({ ...delivery, reason, executionId: runId })
    return runId
  } catch (error) {
    const refusal = refusalOf(error)
    recorder.record({ ...delivery, ...refusal.told })
    throw refusal.error
  }
}

interface Accepted {
  runId: WorkflowRunId
  isRecorded: boolean
  reason: string | null
}

async function accept(
  webhooks: DeliveryParts,
  webhook: PublishedWebhook,
  received: ReceivedDelivery,
  delivery: WebhookDelivery,
): Promise<Accepted> {
  const { apiKeys, rateLimiter } = webhooks
  const now = delivery.receivedAt.getTime()
  const sender = await authenticateDelivery(webhook, apiKeys, received, now)
  if (!sender.ok) {
    await received.failed()
    throw new Refused(unauthorized(), sender.reason)
  }
  const limited = sender.principal ?? signedPrincipal(webhook, webhooks.rpmCeiling)
  const limit = received.judge(limited, await rateLimiter.count(limited), now)
  if (limit) throw limit
  const checked = { input: readBody(received), apiKeyId: sender.principal?.keyId ?? null }
  return withCurrentVersion(
    webhook,
    async () => {
      const current = await received.reload()
      if (!current) throw unknownWebhook()
      return current
    },
    (current) =>
      start(webhooks, current, delivery, {
        ...checked,
        headers: received.headers,
        signature: sender.signature,
      }),
  )
}

/** The input of a run from an authenticated delivery. */
interface CheckedDelivery extends Pick<WorkflowRunRequest, 'input' | 'apiKeyId'> {
  headers: RequestHeaders
  signature: string | null
}

async function start(
  webhooks: DeliveryParts,
  { organizationId, workflowId, versionId }: PublishedWebhook,
  delivery: WebhookDelivery,
  { headers, signature, ...checked }: CheckedDelivery,
): Promise<Accepted> {
  const { runner, graphs } = webhooks
  const request: WorkflowRunRequest = {
    scope: { organizationId, projectId: null },
    workflowId,
    versionId,
    source: 'webhook',
    firedNodeId: null,
    scheduledFor: null,
    ...checked,
    startedByUserId: null,
    idempotency: null,
    createdAt: delivery.receivedAt.getTime(),
  }
  const rejects = await graphs.rejectsDuplicates(organizationId, versionId)
  const dedupeKey = rejects ? dedupeKeyOf(headers, signature) : null
  if (dedupeKey === null) {
    return { runId: (await runner.start(request)).runId, isRecorded: false, reason: null }
  }
  const { runId, isRepeated } = await startOnce(webhooks, request, delivery, dedupeKey)
  const reason = isRepeated ? 'A duplicate: the response is the run of the first delivery.' : null
  return { runId, isRecorded: !isRepeated, reason }
}

/** A refusal whose reason only the webhook's owner sees, in the delivery log; the sender gets `answer`. */
class Refused extends Error {
  readonly answer: DomainError

  constructor(answer: DomainError, reason: string) {
    super(reason)
    this.answer = answer
  }
}

/** One text for every authentication failure, so that it reveals nothing to the sender. */
export function unauthorized(): DomainError {
  return new DomainError('unauthorized', 'The request could not be authenticated.')
}

/** Without a key only the organization's limit counts. */
export function signedPrincipal(
  { organizationId, organizationRpm }: Pick<PublishedWebhook, 'organizationId' | 'organizationRpm'>,
  rpmCeiling: number | null,
): Limited {
  return {
    organizationId,
    organizationRpm: rpmInForce(organizationRpm, rpmCeiling),
    keyId: null,
    keyRpm: null,
  }
}

/** @throws DomainError `validation_error` */
export function readBody({ headers, raw }: Pick<ReceivedDelivery, 'headers' | 'raw'>): unknown {
  try {
    requirePlainUtf8(headers)
  } catch (error) {
    // An authenticated sender gets 400: the spec's table has no 415.
    throw new DomainError('validation_error', error instanceof Error ? error.message : String(error))
  }
  // The sender supports no other encoding, and would disable this webhook.
  const body = parseJsonBody(raw, MAX_BODY_BYTES, 'text')
  return body === undefined ? {} : body
}

function refusalOf(error: unknown): {
  error: unknown
  told: Partial<Pick<WebhookDelivery, 'status' | 'reason' | 'executionId'>>
} {
  if (error instanceof Refused) {
    const told = { status: statusOf(error.answer.code), reason: error.message }
    return { error: error.answer, told }
  }
  if (!(error instanceof DomainError)) {
    return { error, told: { status: 500, reason: 'The server failed; its log has more.' } }
  }
  const { executionId } = error
  const told = { status: statusOf(error.code), reason: error.message, executionId }
  // Unpublished between the webhook lookup and the start: the same response as for an unknown token.
  const gone = error.code === 'workflow_not_published' || error.code === 'workflow_not_found'
  return {
    error: gone ? unknownWebhook() : error,
    told: gone ? { status: 404, reason: 'The workflow is no longer published.' } : told,
  }
}

/** One text for every workflow id and token without a published webhook. */
export function unknownWebhook(): DomainError {
  return new DomainError('workflow_not_found', 'There is no published workflow with this webhook.')
}
