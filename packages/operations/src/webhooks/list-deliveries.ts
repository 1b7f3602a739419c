import type { Scope } from '@troupe/agents/ports'
import { DomainError, isUuid } from '@troupe/contract'
import type { Database, WebhookDelivery } from '@troupe/database'
import { findWorkflow } from '../workflows/find-workflow.ts'

/** A delivery as the owner of the webhook sees it. */
export interface DeliveryView {
  deliveryId: string
  /** Unix seconds. */
  receivedAt: number
  status: number
  reason: string | null
  executionId: string | null
  ip: string | null
  headers: Record<string, string>
  bodyBytes: number
}

function presentDelivery(delivery: WebhookDelivery): DeliveryView {
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
 * The deliveries of a workflow's webhook, newest first: at most the last 100.
 *
 * @throws DomainError `workflow_not_found`, `forbidden`
 */
export async function listDeliveries(
  { read }: Pick<Database, 'read'>,
  scope: Scope,
  workflowId: string,
  page: { page: number; limit: number },
): Promise<{ data: DeliveryView[]; total: number; page: number; limit: number }> {
  const { organizationId, id } = await findWorkflow(read.workflows.byId, scope, workflowId)
  const { rows, total } = await read.webhooks.deliveries(organizationId, id, page)
  return { data: rows.map(presentDelivery), total, ...page }
}

/**
 * The body of a delivery, used by the editor as input for a draft run.
 *
 * @returns `payload` as JSON, or null when the body was not JSON or too long to be kept; `body` as text,
 * truncated
 * @throws DomainError `workflow_not_found`, `forbidden`, `not_found`
 */
export async function replayDelivery(
  { read }: Pick<Database, 'read'>,
  scope: Scope,
  workflowId: string,
  deliveryId: string,
): Promise<{ delivery: DeliveryView; body: string; payload: unknown; isComplete: boolean }> {
  const { organizationId, id } = await findWorkflow(read.workflows.byId, scope, workflowId)
  const found = isUuid(deliveryId) ? await read.webhooks.delivery(organizationId, id, deliveryId) : null
  if (!found) throw new DomainError('not_found', 'There is no such delivery; the last 100 are kept.')
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
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
