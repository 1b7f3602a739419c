import { type Static, Type } from 'typebox'
import { defineEndpoint } from '../endpoint/internal-endpoint.ts'

/** What the server tells the job of a session while it runs. Times are milliseconds since the epoch. */
export const SessionEvent = Type.Union([
  Type.Object({ event: Type.Literal('answered'), leaseUntil: Type.Integer() }),
  Type.Object({ event: Type.Literal('end'), reason: Type.String() }),
  Type.Object({ event: Type.Literal('lease'), until: Type.Integer() }),
])
export type SessionEvent = Static<typeof SessionEvent>

/**
 * `GET …/sessions/{sessionId}/events`: server-sent events. A stream begins with the events that already hold, so a
 * reader that connects again misses nothing.
 */
export const sessionEvents = defineEndpoint({
  method: 'GET',
  path: '/internal/voice/sessions/{sessionId}/events',
  needsSessionToken: true,
  body: null,
  success: { status: 200, body: SessionEvent, type: 'text/event-stream' },
})
