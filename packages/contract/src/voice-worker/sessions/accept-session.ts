import { Type } from 'typebox'
import { defineEndpoint } from '../endpoint/internal-endpoint.ts'

/** `POST …/sessions/{sessionId}/accepted`: sent before the worker accepts the job; 410: it must reject it. */
export const acceptSession = defineEndpoint({
  method: 'POST',
  path: '/internal/voice/sessions/{sessionId}/accepted',
  needsSessionToken: false,
  body: Type.Object({ workerId: Type.String({ minLength: 1, maxLength: 200 }) }),
  success: { status: 204, body: null },
})
