import type { Static, TSchema } from 'typebox'
import type { IdText, VoiceSessionId } from '../../schema/ids.ts'

/**
 * A request that a voice worker sends to the server, as data. All paths are below `/internal/voice` on the internal
 * listener; every request carries the deployment's bearer token.
 */
export interface InternalEndpoint {
  method: 'GET' | 'POST'
  /** Path with parameters in braces. */
  path: `/internal/voice/${string}`
  /** Whether the request also carries the session token of the claim, in {@link SESSION_TOKEN_HEADER}. */
  needsSessionToken: boolean
  /** null: the request has no body. */
  body: TSchema | null
  /** 204 has no content: its `body` is null. */
  success: {
    status: 200 | 204
    body: TSchema | null
    /** A stream of objects of the schema `body`; absent: one JSON object. */
    type?: 'text/event-stream' | 'application/x-ndjson'
  }
}

/** Infers the exact type of an endpoint. */
export function defineEndpoint<const T extends InternalEndpoint>(endpoint: T): T {
  return endpoint
}

/** The body of an endpoint's requests; undefined for those without one. */
export type EndpointBody<E extends InternalEndpoint> = E['body'] extends TSchema
  ? Static<E['body']>
  : undefined

/** The return value of an endpoint's handler; nothing for streams and for responses without content. */
export type EndpointAnswer<E extends InternalEndpoint> = E['success'] extends { type: string }
  ? undefined
  : E['success']['body'] extends TSchema
    ? Static<E['success']['body']>
    : undefined

/** The header with the session token that {@link claimJobEndpoint} returned. */
export const SESSION_TOKEN_HEADER = 'x-voice-session-token'

/** The header of a turn's response with the id of its run. */
export const RUN_ID_HEADER = 'x-run-id'

/** The agent name under which workers register and rooms dispatch. */
export const DISPATCH_AGENT_NAME = 'troupe-voice'

/** The identity of a session's agent in its room. All agents of a session use the same one. */
export const agentIdentityOf = (sessionId: IdText<VoiceSessionId>): string => `agent-${sessionId}`
