import { DomainError, ListenerCallId, MAX_BODY_BYTES, statusOf } from '@troupe/contract'
import type { SecretBox } from '@troupe/secrets'
import type { CalledListener, Database } from '@troupe/storage'
import { authenticateDelivery, single } from '../webhooks/authenticate-delivery.ts'
import {
  type DeliveryParts,
  type ReceivedDelivery,
  readBody,
  signedPrincipal,
  unauthorized,
  unknownWebhook,
} from '../webhooks/receive-delivery.ts'
import { type OpenWebhookSecrets, openWebhookSecrets } from '../webhooks/webhook-secrets.ts'
import { type ArrivedCall, type CallOutcome, keptCall } from './call-of-listener.ts'
import { explainSignature } from './explain-signature.ts'
import { hashListenerToken, openListenerSecret } from './listener-secrets.ts'

const LONGEST_TOKEN = 200

/** Dependencies of calls of listeners. */
export interface TestCallParts
  extends Pick<DeliveryParts, 'apiKeys' | 'rateLimiter' | 'rpmCeiling' | 'clock' | 'newId'> {
  database: Pick<Database, 'read' | 'transaction'>
  box: SecretBox
}

/** A listener with the secrets that it accepts. */
export interface WebhookListener extends CalledListener {
  secrets: Pick<OpenWebhookSecrets, 'signingSecret' | 'previous'>
  /** The listener's own secret; accepted only while the workflow has none. */
  ownSecret: string
}

/**
 * The listener with this token; null for every other token, whatever the reason. Read from the database for each call.
 */
export async function findWebhookListener(
  { database: { read }, box, clock }: TestCallParts,
  token: string,
): Promise<WebhookListener | null> {
  if (token.length > LONGEST_TOKEN) return null
  const now = clock.now()
  const listener = await read.listeners.byToken('webhook', hashListenerToken(token), new Date(now))
  if (!listener) return null
  const sealed = await read.webhooks.secrets(listener.organizationId, listener.workflowId)
  const ownSecret = openListenerSecret(box, listener)
  const secrets = sealed
    ? openWebhookSecrets(box, listener.workflowId, sealed, now)
    : { signingSecret: ownSecret, previous: null }
  return { ...listener, secrets, ownSecret }
}

/** A call with the facts of its connection. */
export type ReceivedTestCall = Omit<ReceivedDelivery, 'reload'>

/**
 * Authenticates and validates a call like a delivery of the webhook, and stores it for the editor. Nothing else is
 * written: no run, no delivery, no deduplication key. If the listener is stopped or expires at the same time, the call
 * is treated as unknown: the listener's row is locked in the transaction that stores the call.
 *
 * @returns the id of the call, in place of a run's id
 * @throws DomainError `unauthorized`, `rate_limit_exceeded`, `validation_error`, `workflow_not_found`
 */
export async function receiveTestCall(
  parts: TestCallParts,
  listener: WebhookListener,
  received: ReceivedTestCall,
): Promise<string> {
  const { clock, newId, apiKeys, rateLimiter, rpmCeiling } = parts
  const now = clock.now()
  const call: ArrivedCall = {
    id: newId(ListenerCallId),
    listenerId: listener.id,
    receivedAt: new Date(now),
    ip: received.ip,
    distinct: received.distinct,
    raw: received.raw,
  }
  const keep = async (outcome: CallOutcome) => {
    const isKept = await parts.database.transaction(({ write }) =>
      write.listeners.record(keptCall(call, outcome)),
    )
    if (!isKept) throw unknownWebhook()
  }
  const refuse = async (error: DomainError, outcome: Omit<CallOutcome, 'status'>): Promise<never> => {
    await keep({ ...outcome, status: statusOf(error.code) })
    throw error
  }
  const sender = await authenticateDelivery(listener, apiKeys, received, now)
  if (!sender.ok) {
    await received.failed()
    const { fault: verdict, reason } = sender
    await refuse(
      unauthorized(),
      verdict === 'wrong_signature' ? explained(listener, received) : { verdict, reason },
    )
    throw unauthorized()
  }
  const limited = sender.principal ?? signedPrincipal(listener, rpmCeiling)
  const limit = received.judge(limited, await rateLimiter.count(limited), now)
  if (limit) await refuse(limit, { verdict: 'limited', reason: limit.message })
  try {
    readBody(received)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    await refuse(error, { verdict: 'unreadable', reason: error.message })
  }
  await keep({ verdict: 'accepted', status: 202, reason: null })
  return call.id
}

function explained(
  { secrets, ownSecret }: WebhookListener,
  { distinct, raw }: ReceivedTestCall,
): Omit<CallOutcome, 'status'> {
  const others =
    secrets.signingSecret === ownSecret
      ? []
      : [{ name: 'the secret that this listener had before the workflow was published', secret: ownSecret }]
  return explainSignature({
    signature: single(distinct, 'x-service-signature') ?? '',
    timestamp: single(distinct, 'x-service-timestamp') ?? '',
    raw,
    secret: secrets.signingSecret,
    others,
  })
}

/** Stores a call whose body exceeds the limit and was not read. */
export async function keepLongCall(
  { database, clock, newId }: TestCallParts,
  listener: WebhookListener,
  { ip, distinct }: Pick<ReceivedTestCall, 'ip' | 'distinct'>,
): Promise<void> {
  const call = {
    id: newId(ListenerCallId),
    listenerId: listener.id,
    receivedAt: new Date(clock.now()),
    ip,
    distinct,
  }
  const outcome = {
    verdict: 'too_large',
    status: statusOf('payload_too_large'),
    reason: `The body is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB, so it was not read.`,
  } as const
  await database.transaction(({ write }) =>
    write.listeners.record(keptCall({ ...call, raw: Buffer.alloc(0) }, outcome)),
  )
}
