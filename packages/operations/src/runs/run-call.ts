import { createHash } from 'node:crypto'
import type { GivenExchange, RunRequest } from '@troupe/agents'
import type { RunnableKind, Scope } from '@troupe/agents/ports'
import {
  type AgentRunBody,
  type ApiKeyId,
  canonicalJson,
  invalidRequest,
  parseId,
  RUNNABLE_IDS,
  type TeamRunBody,
  toolContextErrors,
} from '@troupe/contract'
import { runnableNotFound } from '../errors/runnable-errors.ts'

/** A run request without its body. */
export interface RunCall {
  /** The caller; the key is null for builders. */
  principal: Scope & { keyId: ApiKeyId | null }
  kind: RunnableKind
  /** The path parameter, unchecked. */
  entityId: string
  /** Milliseconds since the epoch at which the request arrived. */
  acceptedAt: number
  /** Path of the request without its query. */
  path: string
  /** The `Idempotency-Key` header, or null. */
  idempotencyKey: string | null
}

/**
 * The runtime's request for a checked body. A team has neither `tag` nor `tool_context`. `history` is a conversation
 * kept by the caller; null: the session's.
 *
 * @throws DomainError `validation_error` for a `tool_context` over its limits, `agent_not_found` or `team_not_found`
 * for a malformed id.
 */
export function runRequest(
  call: RunCall,
  body: AgentRunBody | TeamRunBody,
  source: RunRequest['source'],
  history: readonly GivenExchange[] | null = null,
): RunRequest {
  const own: Partial<AgentRunBody> = call.kind === 'agent' ? body : {}
  const errors = toolContextErrors(own.tool_context ?? {})
  if (errors.length > 0) throw invalidRequest(errors)
  const entityId = parseId(RUNNABLE_IDS[call.kind].id, call.entityId)
  if (entityId === null) throw runnableNotFound(call.kind)
  return {
    scope: call.principal,
    apiKeyId: call.principal.keyId,
    kind: call.kind,
    entityId,
    message: body.message,
    sessionId: body.session_id ?? null,
    userId: body.user_id ?? null,
    ...(history && { history }),
    includeMessages: body.include_messages ?? false,
    tag: own.tag ?? null,
    toolContext: own.tool_context ?? {},
    output: null,
    source,
    acceptedAt: call.acceptedAt,
    idempotency:
      call.idempotencyKey === null
        ? null
        : {
            path: call.path,
            key: call.idempotencyKey,
            bodyHash: createHash('sha256')
              .update(canonicalJson(history ? { body, history } : body))
              .digest('hex'),
          },
  }
}
