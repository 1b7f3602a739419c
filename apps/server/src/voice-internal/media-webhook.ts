import { DomainError, jsonExcess } from '@troupe/contract'
import type { App } from '@troupe/http/server-types'
import type { ConnectedVoice } from '../wiring/create-voice.ts'

/** Larger ones are no event. */
const MAX_BYTES = 256 * 1024

/**
 * `POST /internal/livekit/webhook`: 401 unless the media server signed the bytes of the body, else 200 at once. In a scope
 * of its own: only this route takes bodies as text.
 */
export function registerMediaWebhook(
  app: App,
  { livekit, events }: Pick<ConnectedVoice, 'livekit' | 'events'>,
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/webhook+json', 'application/json'],
      { parseAs: 'string' },
      (_request, body, done) => done(null, body),
    )
    scope.route({
      method: 'POST',
      url: '/internal/livekit/webhook',
      config: { access: 'open', bodyType: 'application/webhook+json' },
      bodyLimit: MAX_BYTES,
      handler: async (request, reply) => {
        const body = typeof request.body === 'string' ? request.body : ''
        if (jsonExcess(body) !== null) {
          throw new DomainError('validation_error', 'The webhook has more values or levels than an event.')
        }
        const event = await livekit.verifyWebhook(body, request.headers.authorization)
        if (event === null)
          throw new DomainError('unauthorized', 'The webhook is not signed by the media server.')
        events.take(event)
        return reply.code(200).send()
      },
    })
  })
}
