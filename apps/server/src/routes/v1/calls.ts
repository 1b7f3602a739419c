import { OPERATIONS } from '@troupe/contract'
import { onClosed } from '@troupe/http/connections/on-closed'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { createCall } from '@troupe/operations/calls/create-call'
import type { CallDesk } from '@troupe/voice'

/**
 * Registers the route that places calls. It responds once the call was answered or has failed, so the limit of synchronous runs
 * does not apply, and a silent connection is not an error.
 */
export function registerCalls(app: App, { desk }: { desk: Pick<CallDesk, 'place'> }): void {
  registerOperation(app, OPERATIONS.createCall, async ({ request, principal, body, headers }, reply) => {
    const left = new AbortController()
    const stop = onClosed(reply.raw, () => {
      if (!reply.raw.writableFinished) left.abort()
    })
    try {
      return await createCall(
        { desk },
        {
          principal,
          body,
          path: request.url.split('?', 1)[0] ?? '',
          idempotencyKey: headers['idempotency-key'] ?? null,
          signal: left.signal,
        },
      )
    } finally {
      stop()
    }
  })
}
