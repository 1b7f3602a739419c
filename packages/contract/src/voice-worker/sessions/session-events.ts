import { type Static, Type } from 'typebox'
import { defineEndpoint } from '../endpoint/internal-endpoint.ts'

/** The server's messages to the running job of a session. Times are milliseconds since the epoch. */
export const SessionEvent = Type.Union([
  Type.Object({ event: Type.Literal('answered'), leaseUntil: Type.Integer() }),
  Type.Object({ event: Type.Literal('end'), reason: Type.String() }),
  Type.Object({ event: Type.Literal('lease'), until: Type.Integer() }),
])
export type SessionEvent = Static<typeof SessionEvent>

/**
 * `GET …/sessions/{sessionId}/events`: server-sent events. A stream starts with the current state, so a reader that
 * reconnects misses nothing.
 */
export const sessionEvents = defineEndpoint({
  method: 'GET',
  path: '/internal/voice/sessions/{sessionId}/events',
  needsSessionToken: true,
  body: null,
  success: { status: 200, body: SessionEvent, type: 'text/event-stream' },
})
