import type { Clock } from '@troupe/agents/ports'
import { DomainError } from '@troupe/contract'
import type { ApiKeyCache } from '@troupe/operations/access/api-key-cache'
import type { BuilderCaller } from '@troupe/operations/access/builder-caller'
import type { Principal } from '@troupe/operations/access/principal'
import { type Guard, type RateLimitedError, type RateLimiter, visitorOf } from '@troupe/rate-limits'
import { mayBeApiKeySecret } from '@troupe/secrets'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { admitMember, type BuilderGate, operatorAsOwner, requireOwnPage } from './admit-builder.ts'
import { LONGEST_URL, uriTooLong } from './client-error.ts'
import { bearerOf, protocolOf } from './foreign-protocols.ts'
import type { OperatorToken } from './operator-token.ts'
import { applyRateLimits, countOwnLimit, repeatRetryAfter } from './rate-limit-headers.ts'
import { asError } from './respond-error.ts'
import type { RouteAccess } from './server-types.ts'
import { noSuchRoute } from './wrong-methods.ts'

/** Dependencies of admission. */
export interface Gate {
  apiKeys: Pick<ApiKeyCache, 'find'>
  operator: OperatorToken
  guard: Pick<Guard, 'refusalAfter' | 'admit'>
  people: BuilderGate['people']
  database: BuilderGate['database']
  rateLimiter: Pick<RateLimiter, 'count' | 'hit'>
  clock: Clock
}

/** Calls back without an error if the request is admitted. */
export type Admit = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void

/**
 * The first hook of every request: 401, then 429, then errors that need no body (404, 414). Callbacks instead
 * of promises, because a cached key is found synchronously.
 */
export function createAdmission(gate: Gate): Admit {
  const { apiKeys, people, rateLimiter, clock } = gate
  return (request, reply, done) => {
    const access = accessOf(request)
    // Triggers authenticate in their own route.
    if (access === 'trigger') return done()
    if (access === 'open') return done(request.is404 ? noSuchRoute(request, reply) : undefined)
    if (access === 'operator') return admitOperator(gate, request, reply, done)
    // An unsupported method needs no session: the response is 405 for every caller.
    if ((access === 'person' || access === 'visitor') && isWrongApiMethod(request)) return done()
    if (access === 'person') return admitPerson(people, request, done)
    if (access === 'visitor') return admitVisitor(people, request, done)
    if (access === 'builder') return admitToBuilder(gate, request, reply, done)

    const protocol = protocolOf(request.url)
    const count = (principal: Principal | null): void => {
      if (!principal) {
        if (protocol) reply.header('www-authenticate', 'Bearer')
        done(unauthorized(protocol ? 'bearer' : 'api_key'))
        return
      }
      request.principal = principal
      countRequest({ rateLimiter, clock }, principal, request, reply)
        .then((refusal) => refusal ?? shapeError(request, reply))
        .then((refusal) => done(refusal ?? undefined), done)
    }
    const secret = request.headers['x-api-key'] ?? (protocol && bearerOf(request.headers))
    const found = mayBeApiKeySecret(secret) ? apiKeys.find(secret, request.ip) : null
    if (found instanceof Promise) found.then(count, done)
    else count(found)
  }
}

/** Counts against the limits of the organization and the key, then of the operation; reports the first exceeded one. */
async function countRequest(
  { rateLimiter, clock }: Pick<Gate, 'rateLimiter' | 'clock'>,
  principal: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RateLimitedError | null> {
  const usage = await rateLimiter.count(principal)
  const now = clock.now()
  const own = { keyId: principal.keyId, limiter: rateLimiter, now }
  const refusal = applyRateLimits(reply, principal, usage, now) ?? (await countOwnLimit(request, reply, own))
  if (refusal) repeatRetryAfter(request, reply, refusal.retryAfterSeconds)
  return refusal
}

/** A valid token always passes: wrong ones from the same address, such as a neighbour's, cannot lock the operator out. */
function admitOperator(
  { operator, guard }: Pick<Gate, 'operator' | 'guard'>,
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  const { authorization } = request.headers
  if (operator.matches(authorization)) done(request.is404 ? noSuchRoute(request, reply) : undefined)
  // A missing token is not a guess.
  else if (authorization === undefined) done(unauthorized('operator'))
  else {
    guard
      .refusalAfter('adminToken', visitorOf(request, ''))
      .then((tooMany) => done(tooMany ?? unauthorized('operator')), done)
  }
}

/** A member by the session cookie, or the operator by the admin token; a cookie in addition to the token is ignored. */
function admitToBuilder(
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  const pass = (caller: BuilderCaller | null): void => {
    request.builderCaller = caller
    done(request.is404 ? noSuchRoute(request, reply) : undefined)
  }
  if (request.headers.authorization === undefined) {
    admitMember(gate, request).then(pass, done)
    return
  }
  admitOperator(gate, request, reply, (refusal) => {
    if (refusal) done(refusal)
    else operatorAsOwner(gate, request).then(pass, done)
  })
}

/** A request without a session that acts on the browser's cookie: only pages of this server may send it. */
function admitVisitor(people: Gate['people'], request: FastifyRequest, done: HookHandlerDoneFunction): void {
  try {
    requireOwnPage(people, request)
    done()
  } catch (error) {
    done(asError(error))
  }
}

/** CSRF check: other sites can make a browser send its cookie, so a change needs this server's `Origin`. */
function admitPerson(people: Gate['people'], request: FastifyRequest, done: HookHandlerDoneFunction): void {
  try {
    if (request.method !== 'GET' && request.method !== 'HEAD') people.requireSameOrigin(request)
  } catch (error) {
    done(asError(error))
    return
  }
  people.signedIn(request.headers).then((person) => {
    request.person = person
    done(person ? undefined : unauthorized('person'))
  }, done)
}

function isWrongApiMethod({ url, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.wrongMethod === true && url.startsWith('/api/')
}

/** Unknown routes below `/api` require the same authentication as known ones. */
function accessOf(request: FastifyRequest): RouteAccess {
  if (!request.is404) return request.routeOptions.config.access ?? 'open'
  if (/^\/api\/builder\/v1(?:[/?#]|$)/.test(request.url)) return 'builder'
  if (/^\/api\/builder(?:[/?#]|$)/.test(request.url)) return 'operator'
  return /^\/api(?:[/?#]|$)/.test(request.url) ? 'api_key' : 'open'
}

function shapeError(request: FastifyRequest, reply: FastifyReply): DomainError | null {
  if (request.url.length > LONGEST_URL) {
    return uriTooLong()
  }
  return request.is404 ? noSuchRoute(request, reply) : null
}

/** One message for every invalid key, token or session. */
const UNAUTHORIZED = {
  api_key: 'A valid API key is required in the X-API-Key header.',
  bearer: 'A valid API key is required as a bearer token in the Authorization header.',
  operator: 'A valid admin token is required in the Authorization header.',
  person: 'Please sign in first.',
} as const

function unauthorized(access: keyof typeof UNAUTHORIZED): DomainError {
  return new DomainError('unauthorized', UNAUTHORIZED[access])
}
