import { createHash } from 'node:crypto'
import { DomainError, type RequestHeaders, type WorkflowRunId } from '@troupe/contract'
import type { Database, WebhookDelivery } from '@troupe/storage'
import type { StartedRun, WorkflowRunner, WorkflowRunRequest } from '@troupe/workflows'

/** Milliseconds for which a repeated delivery gets the run of the first one. */
const DEDUPE_MS = 10 * 60_000

export interface StartDeliveryParts {
  database: Pick<Database, 'transaction'>
  runner: Pick<WorkflowRunner, 'start' | 'startWithin' | 'send'>
}

/**
 * The deduplication key of a delivery: the sender's delivery id, else the signature, which covers body and timestamp;
 * null if it has neither.
 */
export function dedupeKeyOf(headers: RequestHeaders, signature: string | null): string | null {
  const [name, value] =
    (['idempotency-key', 'webhook-id'] as const)
      .map((header) => [header, headers[header]] as const)
      .find(([, given]) => typeof given === 'string' && given !== '') ?? (['signature', signature] as const)
  return typeof value === 'string' ? createHash('sha256').update(`${name}:${value}`).digest('hex') : null
}

/**
 * Starts the run of a delivery once per deduplication key within the window. The key's claim, the run and the
 * log row commit in one transaction, so a concurrent duplicate waits for the first delivery and gets its run.
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
    // A claim is never committed without its run.
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
