import { createHmac, timingSafeEqual } from 'node:crypto'
import type { OrganizationId, ProjectId, RequestHeaders } from '@troupe/contract'
import { mayBeApiKeySecret } from '@troupe/secrets'
import type { ApiKeyCache } from '../access/api-key-cache.ts'
import type { Principal } from '../access/principal.ts'
import type { OpenWebhookSecrets } from './webhook-secrets.ts'

/** Maximum clock skew of the sender in seconds, inclusive. */
export const TOLERANCE_SECONDS = 300

const TIMESTAMP = /^\d{1,12}$/
const SIGNATURE = /^[0-9a-f]{64}$/
const BEARER = /^Bearer ([^\s]+)$/i

/** The webhook that receives a delivery. */
export interface SignedWebhook {
  organizationId: OrganizationId
  projectId: ProjectId | null
  secrets: Pick<OpenWebhookSecrets, 'signingSecret' | 'previous'>
}

/** The reason for a failed authentication. */
export type DeliveryFault =
  | 'missing_header'
  | 'malformed_header'
  | 'wrong_time'
  | 'wrong_signature'
  | 'wrong_key'

/** A delivery before authentication. */
export interface WebhookRequest {
  headers: RequestHeaders
  /** Every value of each header by lower-case name, because `headers` joins or drops repeated ones. */
  distinct: NodeJS.Dict<string[]>
  /** The body as received. */
  raw: Buffer
  /** The sender's address. */
  ip: string
}

/**
 * The authenticated sender: an API key, or a holder of the signing secret (`principal` null). `reason` is
 * only for the webhook's owner.
 */
export type Authentication =
  | { ok: true; principal: Principal | null; signature: string | null }
  | { ok: false; fault: DeliveryFault; reason: string }

/**
 * Decides whether a delivery may start a run: a timestamp within five minutes, and either a signature over
 * `<timestamp>.<raw body>` or a key with access to the workflow. A valid key is accepted even with a wrong signature.
 *
 * @param now milliseconds since the epoch
 */
export async function authenticateDelivery(
  webhook: SignedWebhook,
  apiKeys: Pick<ApiKeyCache, 'find'>,
  { distinct, raw, ip }: WebhookRequest,
  now: number,
): Promise<Authentication> {
  const timestamp = single(distinct, 'x-service-timestamp')
  const untimely = timestampFault(timestamp, now)
  if (untimely !== null) return { ok: false, ...untimely }
  const signature = single(distinct, 'x-service-signature')
  const isSigned = isSignature(signature) && isSignedBy(webhook, timestamp ?? '', raw, signature, now)
  if (isSigned) return { ok: true, principal: null, signature }
  const secret = apiKeyOf(distinct)
  const principal = secret === null ? null : await apiKeys.find(secret, ip)
  if (principal && maySee(principal, webhook)) return { ok: true, principal, signature: null }
  return {
    ok: false,
    fault: faultOf(signature, secret),
    reason: refusal(signature, secret, principal),
  }
}

/** The value of a header; null if it is missing, and empty (matching nothing) if it was sent twice. */
export function single(distinct: NodeJS.Dict<string[]>, name: string): string | null {
  const values = distinct[name]
  if (!values) return null
  return values.length === 1 ? (values[0] ?? '') : ''
}

function timestampFault(
  timestamp: string | null,
  now: number,
): { fault: DeliveryFault; reason: string } | null {
  if (timestamp === null) return { fault: 'missing_header', reason: 'X-Service-Timestamp is missing.' }
  if (!TIMESTAMP.test(timestamp)) {
    const reason = 'X-Service-Timestamp is not a number of Unix seconds, or was sent twice.'
    return { fault: 'malformed_header', reason }
  }
  const skew = Math.floor(now / 1000) - Number(timestamp)
  if (Math.abs(skew) <= TOLERANCE_SECONDS) return null
  const where = skew > 0 ? 'behind' : 'ahead of'
  const reason = `X-Service-Timestamp is ${Math.abs(skew)} s ${where} this server's clock; at most ${TOLERANCE_SECONDS} s are accepted.`
  return { fault: 'wrong_time', reason }
}

function isSignature(signature: string | null): signature is string {
  return signature !== null && SIGNATURE.test(signature)
}

function isSignedBy(
  webhook: SignedWebhook,
  timestamp: string,
  raw: Buffer,
  signature: string,
  now: number,
): boolean {
  const { signingSecret, previous } = webhook.secrets
  const given = Buffer.from(signature, 'hex')
  const secrets =
    previous && previous.until.getTime() > now ? [signingSecret, previous.secret] : [signingSecret]
  // Every secret is compared even after a match, so that timing reveals nothing.
  return secrets.map((secret) => timingSafeEqual(given, sign(secret, timestamp, raw))).includes(true)
}

/** HMAC-SHA256 over `<timestamp>.<raw body>`, keyed with the secret as displayed. */
export function sign(secret: string | Buffer, timestamp: string, raw: Buffer | string): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest()
}

/** The key in `X-API-Key`, else the `Bearer` token. */
function apiKeyOf(distinct: NodeJS.Dict<string[]>): string | null {
  const header = single(distinct, 'x-api-key')
  if (header !== null) return mayBeApiKeySecret(header) ? header : null
  const bearer = BEARER.exec(single(distinct, 'authorization') ?? '')?.[1]
  return mayBeApiKeySecret(bearer) ? bearer : null
}

function maySee({ organizationId, projectId }: Principal, webhook: SignedWebhook): boolean {
  return organizationId === webhook.organizationId && (projectId === null || projectId === webhook.projectId)
}

function faultOf(signature: string | null, secret: string | null): DeliveryFault {
  if (signature === null) return secret === null ? 'missing_header' : 'wrong_key'
  return isSignature(signature) ? 'wrong_signature' : 'malformed_header'
}

function refusal(signature: string | null, secret: string | null, principal: Principal | null): string {
  const signed = !signature
    ? signature === null
      ? 'X-Service-Signature is missing.'
      : 'X-Service-Signature is empty, or was sent twice.'
    : isSignature(signature)
      ? 'X-Service-Signature does not match the body and the signing secret.'
      : 'X-Service-Signature is not 64 lowercase hex digits.'
  if (secret === null) return signed
  return `${signed} ${principal ? 'The API key may not see this workflow.' : 'The API key is not valid.'}`
}
