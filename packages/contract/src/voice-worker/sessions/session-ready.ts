import { defineEndpoint } from '../endpoint/internal-endpoint.ts'

/** `POST …/sessions/{sessionId}/ready`: the agent is in the room and hears. */
export const sessionReady = defineEndpoint({
  method: 'POST',
  path: '/internal/voice/sessions/{sessionId}/ready',
  needsSessionToken: true,
  body: null,
  success: { status: 204, body: null },
})
