import { createHash } from 'node:crypto'
import { type AgentId, type AgentRunBody, DomainError, isUuid, toolContextErrors } from '@troupe/contract'
import type { AgentRunRequest } from '@troupe/runtime'
import type { Principal } from '../../access/principal.ts'
import { canonicalJson } from './canonical-json.ts'

/** What a run request carries beside its body. */
export interface RunCall {
  principal: Principal
  /** The path parameter, unchecked. */
  agentId: string
  /** Milliseconds since the epoch at which the request arrived. */
  acceptedAt: number
  /** Path of the request without its query. */
  path: string
  /** The `Idempotency-Key` header, or null. */
  idempotencyKey: string | null
}

/**
 * The runtime's request for a checked body.
 *
 * @throws DomainError `validation_error` for a `tool_context` over its limits, `agent_not_found` for an id that no agent
 * can have.
 */
export function agentRunRequest(
  call: RunCall,
  body: AgentRunBody,
  source: AgentRunRequest['source'],
): AgentRunRequest {
  const errors = toolContextErrors(body.tool_context ?? {})
  if (errors.length > 0) throw new DomainError('validation_error', 'The request is not valid.', { errors })
  if (!isUuid(call.agentId)) {
    throw new DomainError('agent_not_found', 'There is no such agent in this organization.')
  }
  return {
    scope: call.principal,
    apiKeyId: call.principal.keyId,
    agentId: call.agentId as AgentId,
    message: body.message,
    sessionId: body.session_id ?? null,
    userId: body.user_id ?? null,
    includeMessages: body.include_messages ?? false,
    tag: body.tag ?? null,
    source,
    acceptedAt: call.acceptedAt,
    idempotency:
      call.idempotencyKey === null
        ? null
        : {
            path: call.path,
            key: call.idempotencyKey,
            bodyHash: createHash('sha256').update(canonicalJson(body)).digest('hex'),
          },
  }
}
