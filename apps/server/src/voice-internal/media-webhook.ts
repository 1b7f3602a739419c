import { DomainError, jsonExcess } from '@troupe/contract'
import type { App } from '@troupe/http/server-types'
import type { ConnectedVoice } from '../wiring/create-voice.ts'

/** Max size of an event of the media server. */
const MAX_BYTES = 256 * 1024

/**
 * `POST /internal/livekit/webhook`: 401 unless the body is signed by the media server, else 200 immediately. In a separate scope:
 * only this route reads bodies as text.
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
