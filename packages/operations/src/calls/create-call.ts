import { createHash } from 'node:crypto'
import {
  type CreateCallBody,
  canonicalJson,
  checkedId,
  DomainError,
  type OutboundCall,
  PhoneNumberId,
  PhoneTrunkId,
} from '@troupe/contract'
import { RateLimitedError } from '@troupe/rate-limits'
import type { CallDesk, CallRefusal } from '@troupe/voice'
import type { Principal } from '../access/principal.ts'

/** A validated request for a call. */
export interface CreateCallRequest {
  principal: Principal
  body: CreateCallBody
  /** Path of the request without its query. */
  path: string
  /** The `Idempotency-Key` header, or null. */
  idempotencyKey: string | null
  /** Aborted when the client has disconnected. */
  signal: AbortSignal
}

/**
 * Calls a number and waits until the call is answered.
 *
 * @throws DomainError as the operation declares
 */
export async function createCall(
  { desk }: { desk: Pick<CallDesk, 'place'> },
  { principal, body, path, idempotencyKey, signal }: CreateCallRequest,
): Promise<OutboundCall> {
  const trunkId = checkedId(PhoneTrunkId, body.trunkId.toLowerCase())
  const phoneNumberId = checkedId(PhoneNumberId, body.phoneNumberId.toLowerCase())
  const outcome = await desk.place({
    organizationId: principal.organizationId,
    projectId: principal.projectId,
    apiKeyId: principal.keyId,
    trunkId,
    phoneNumberId,
    to: body.to,
    idempotency: idempotencyKey === null ? null : { path, key: idempotencyKey, bodyHash: hashOf(body) },
    signal,
  })
  if (outcome.kind === 'refused') throw toError(outcome.refusal)
  return { ...outcome.call, to: body.to }
}

function hashOf({ trunkId, to, phoneNumberId }: CreateCallBody): string {
  return createHash('sha256').update(canonicalJson({ trunkId, to, phoneNumberId })).digest('hex')
}

function toError({ code, message, errors, retryAfterS }: CallRefusal): DomainError {
  if (code === 'rate_limit_exceeded') return new RateLimitedError(message, retryAfterS ?? 1)
  return new DomainError(code, message, errors ? { errors } : {})
}
