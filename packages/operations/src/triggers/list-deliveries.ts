import type { Scope } from '@troupe/agents/ports'
import {
  DeliveryId,
  DomainError,
  type IdText,
  parseId,
  parseJson,
  type WorkflowId,
  type WorkflowRunId,
} from '@troupe/contract'
import type { Database, WebhookDelivery } from '@troupe/storage'
import { findWorkflow } from '../workflows/find-workflow.ts'

/** A delivery as the owner of the webhook sees it. */
export interface DeliveryView {
  deliveryId: IdText<DeliveryId>
  /** Unix seconds. */
  receivedAt: number
  status: number
  reason: string | null
  executionId: IdText<WorkflowRunId> | null
  ip: string | null
  headers: Record<string, string>
  bodyBytes: number
}

function presentDelivery(delivery: Omit<WebhookDelivery, 'body'>): DeliveryView {
  const { id, receivedAt, status, reason, executionId, ip, headers, bodyBytes } = delivery
  return {
    deliveryId: id,
    receivedAt: Math.floor(receivedAt.getTime() / 1000),
    status,
    reason,
    executionId,
    ip,
    headers,
    bodyBytes,
  }
}

/**
 * The deliveries of a workflow's webhook, newest first: at most the last 100. `after` is the id of the last delivery of
 * the previous page.
 *
 * @throws DomainError `workflow_not_found`, `forbidden`
 */
export async function listDeliveries(
  { read }: Pick<Database, 'read'>,
  scope: Scope,
  workflowId: IdText<WorkflowId>,
  { after = null, limit = 20 }: { after?: string | null; limit?: number },
): Promise<{ data: DeliveryView[]; next: string | null }> {
  const { organizationId, id } = await findWorkflow(read.workflows.byId, scope, workflowId)
  // The log drops its oldest deliveries, so nothing follows a deleted one.
  const before = after === null ? null : parseId(DeliveryId, after)
  if (after !== null && before === null) return { data: [], next: null }
  const rows = await read.webhooks.deliveries(organizationId, id, { after: before, limit: limit + 1 })
  const data = rows.slice(0, limit).map(presentDelivery)
  return { data, next: rows.length > limit ? (data.at(-1)?.deliveryId ?? null) : null }
}

/**
 * The body of a delivery, which the builder can send again as the input of a run of the published version.
 *
 * @returns `payload` as JSON, or null when the body was not JSON or too long to be kept; `body` as text,
 * truncated
 * @throws DomainError `workflow_not_found`, `forbidden`, `delivery_not_found`
 */
export async function replayDelivery(
  { read }: Pick<Database, 'read'>,
  scope: Scope,
  workflowId: IdText<WorkflowId>,
  deliveryId: IdText<DeliveryId>,
): Promise<{ delivery: DeliveryView; body: string; payload: unknown; isComplete: boolean }> {
  const { organizationId, id } = await findWorkflow(read.workflows.byId, scope, workflowId)
  const wanted = parseId(DeliveryId, deliveryId)
  const found = wanted && (await read.webhooks.delivery(organizationId, id, wanted))
  if (!found) throw new DomainError('delivery_not_found', 'Delivery not found; the last 100 are kept.')
  const isComplete = Buffer.byteLength(found.body) >= found.bodyBytes
  return {
    delivery: presentDelivery(found),
    body: found.body,
    payload: isComplete ? parse(found.body) : null,
    isComplete,
  }
}

function parse(text: string): unknown {
  if (text === '') return {}
  // Parsed like the delivery itself.
  const parsed = parseJson(text, undefined, 'text')
  return parsed.ok ? parsed.value : null
}
