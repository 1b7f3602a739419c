import { timingSafeEqual } from 'node:crypto'
import { DomainError, parseId, propertyOf, VoiceSessionId, validator } from '@troupe/contract'
import {
  type EndpointAnswer,
  type EndpointBody,
  type InternalEndpoint,
  SESSION_TOKEN_HEADER,
} from '@troupe/contract/voice-worker'
import type { App } from '@troupe/http/server-types'
import { hashVoiceToken, type VoiceSessionRecord, type VoiceSessionStore } from '@troupe/voice'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A checked request of a voice worker. */
export interface WorkerCall<Body> {
  body: Body
  request: FastifyRequest
  reply: FastifyReply
}

/** The same for an endpoint of one session. */
export interface SessionCall<Body> extends WorkerCall<Body> {
  session: VoiceSessionRecord
}

/** Registers an endpoint of workers; the listener has checked its bearer token. `undefined` responds with 204. */
export function registerWorkerEndpoint<const E extends InternalEndpoint>(
  app: App,
  endpoint: E,
  handle: (call: WorkerCall<EndpointBody<E>>) => Promise<EndpointAnswer<E> | undefined>,
): void {
  const check = endpoint.body ? validator(endpoint.body) : null
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const checked = check?.(request.body) ?? { ok: true as const, value: undefined }
      if (!checked.ok) {
        throw new DomainError('validation_error', 'The request is not valid.', { errors: checked.errors })
      }
      const answer = await handle({ body: checked.value as EndpointBody<E>, request, reply })
      if (reply.sent || endpoint.success.type) return reply
      return reply.code(endpoint.success.status).send(answer)
    },
  })
}

/** Registers an endpoint of one session, which only the holder of the session's token may call: 401 for any other. */
export function registerSessionEndpoint<const E extends InternalEndpoint>(
  app: App,
  sessions: Pick<VoiceSessionStore, 'locate'>,
  endpoint: E,
  handle: (call: SessionCall<EndpointBody<E>>) => Promise<EndpointAnswer<E> | undefined>,
): void {
  registerWorkerEndpoint(app, endpoint, async (call) => {
    const session = await sessions.locate(sessionIdOf(call.request))
    if (!session || !holdsSession(session, call.request.headers[SESSION_TOKEN_HEADER])) {
      throw new DomainError('unauthorized', 'The token of the voice session is required.')
    }
    return handle({ ...call, session })
  })
}

/** The session of the path. @throws DomainError `session_not_found` for a malformed id */
export function sessionIdOf({ params }: FastifyRequest): VoiceSessionId {
  const id = parseId(VoiceSessionId, String(propertyOf(params, 'sessionId')))
  if (!id) throw new DomainError('session_not_found', 'Voice session not found.')
  return id
}

function holdsSession({ sessionTokenHash }: VoiceSessionRecord, given: unknown): boolean {
  if (sessionTokenHash === null || typeof given !== 'string') return false
  const digest = Buffer.from(hashVoiceToken(given))
  const stored = Buffer.from(sessionTokenHash)
  return digest.length === stored.length && timingSafeEqual(digest, stored)
}

/** Refuses a job: 409 when it was claimed, 410 when its session is over. Codes of workers are not part of the public API. */
export function refuseJob(reply: FastifyReply, status: 409 | 410): undefined {
  const [error, message] =
    status === 409
      ? ['job_claimed', 'The job was claimed, or it belongs to an earlier dispatch.']
      : ['session_over', 'The voice session is over.']
  reply.code(status).send({ error, message })
}
