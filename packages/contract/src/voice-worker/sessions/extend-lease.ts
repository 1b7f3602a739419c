import { Type } from 'typebox'
import { Nullable } from '../../schema/nullable.ts'
import { defineEndpoint } from '../endpoint/internal-endpoint.ts'

/** `POST …/sessions/{sessionId}/lease`: requests more minutes of a call. `granted` false: the call ends with the lease. */
export const extendLease = defineEndpoint({
  method: 'POST',
  path: '/internal/voice/sessions/{sessionId}/lease',
  needsSessionToken: true,
  body: null,
  success: {
    status: 200,
    body: Type.Object({
      /** Milliseconds since the epoch, by the server's clock; null for a web session, which has no lease. */
      leaseUntil: Nullable(Type.Integer()),
      granted: Type.Boolean(),
    }),
  },
})
