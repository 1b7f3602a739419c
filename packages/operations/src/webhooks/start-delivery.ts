import { createHash } from 'node:crypto'
import { DomainError, type RequestHeaders, type WorkflowRunId } from '@troupe/contract'
import type { Database, WebhookDelivery } from '@troupe/database'
import type { StartedRun, WorkflowRunner, WorkflowRunRequest } from '@troupe/workflows'

/** How long the same delivery is answered with the first run. */
const DEDUPE_MS = 10 * 60_000

/** What starting uses. */
export interface StartDeliveryParts {
  database: Pick<Database, 'transaction'>
  runner: Pick<WorkflowRunner, 'start' | 'startWithin' | 'send'>
}

/**
 * What makes two deliveries the same: the sender's own id, else the signature, which covers body and time. null when a
 * delivery has neither.
 */
export function dedupeKeyOf(headers: RequestHeaders, signature: string | null): string | null {
  const [name, value] =
    (['idempotency-key', 'webhook-id'] as const)
      .map((header) => [header, headers[header]] as const)
      .find(([, given]) => typeof given === 'string' && given !== '') ?? (['signature', signature] as const)
  return typeof value === 'string' ? createHash('sha256').update(`${name}:${value}`).digest('hex') : null
}

/**
 * Starts the run of a delivery whose trigger answers repetitions once. The key, the run and what became of it are one
 * transaction: of two at the same moment the second waits for the first, and is answered with its run.
 *
 * @returns the run, and whether an earlier delivery started it
 * @throws DomainError as `WorkflowRunner.start` does
 */
export async function startOnce(
  { database, runner }: StartDeliveryParts,
  request: WorkflowRunRequest,
  delivery: WebhookDelivery,
  dedupeKey: string,
): Promise<{ runId: WorkflowRunId; isRepeated: boolean }> {
  const since = delivery.receivedAt.getTime() - DEDUPE_MS
  const outcome = await database.transaction(async (tx) => {
    const claim = await tx.write.webhooks.claim(delivery, dedupeKey, since)
    if (!claim.claimed) return claim
    const started = await runner.startWithin(tx, request)
    const { webhooks } = tx.write
    await (isFull(started) ? webhooks.release(delivery.id) : webhooks.settle(delivery.id, started.runId))
    return { claimed: true as const, started }
  })
  if (!outcome.claimed) {
    // A claim without a run is never committed under its key.
    if (outcome.executionId === null) throw new Error('a delivery has its key and no run')
    return { runId: outcome.executionId, isRepeated: true }
  }
  const { started } = outcome
  const { runId } = started
  if (isFull(started)) {
    throw new DomainError('concurrency_limit_reached', started.rejected.error, { executionId: runId })
  }
  if (started.delivery) runner.send(started.delivery)
  return { runId, isRepeated: false }
}

function isFull(started: StartedRun): started is StartedRun & { rejected: { error: string } } {
  return started.rejected?.status === 'concurrency_limit_reached'
}
