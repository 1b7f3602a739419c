import type { IncomingMessage, ServerResponse } from 'node:http'
import { DomainError, MAX_BODY_BYTES, parseJsonBody, requirePlainUtf8, statusOf } from '@troupe/contract'
import { countedAddress, type ProxySigns } from '@troupe/rate-limits'
import type { Metrics } from '@troupe/telemetry/metrics'
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import type { Admit } from './access.ts'
import { withoutBrokenEscapes } from './broken-escapes.ts'
import { answerClientError, isRequestTimeout } from './client-error.ts'
import { closeUnusedConnections } from './connections/unused-connections.ts'
import { requestIdOf } from './ids/request-id.ts'
import { logResponse } from './request-log.ts'
import { asError, respondError, toErrorBody } from './respond-error.ts'
import { writeSecurityHeaders } from './security-headers.ts'
import type { App } from './server-types.ts'
import { SlowUploads } from './slow-uploads.ts'
import { noSuchRoute, OTHER_METHODS } from './wrong-methods.ts'

const HEADERS_TIMEOUT_MS = 15_000
/** Longer than the idle time of common load balancers (60 s), so that they close first. */
const KEEP_ALIVE_MS = 72_000
const MAX_HEADER_BYTES = 16 * 1024
/** Longer than any path parameter of an accepted URL: long ids are unknown, not framework errors. */
const MAX_PARAM_LENGTH = MAX_HEADER_BYTES

/** Dependencies of every HTTP server of the process. */
export interface AppParts {
  log: Logger
  metrics: Metrics
  admit: Admit
  /** CIDR ranges of proxies whose X-Forwarded-For is trusted; none when absent. */
  trustedProxies?: readonly string[]
  /** Whether every peer of a private network is a proxy; false when absent. */
  isBehindProxy?: boolean
  /** `max-age` of `Strict-Transport-Security`; not sent when 0 or absent. */
  hstsSeconds?: number
  /** Observes every request, to detect a proxy that is not configured. */
  proxySigns?: Pick<ProxySigns, 'look'>
  /** The time requests have to arrive, and the uploads that may take longer. */
  slowUploads?: SlowUploads
  /** The responses to errors outside scopes with their own handlers; by default the API's. */
  answerError?: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void
}

/** Rejects an `Expect` header that is not `100-continue`. */
function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const refusal = new DomainError('expectation_failed', 'Only `Expect: 100-continue` is supported.')
  const body = JSON.stringify(toErrorBody(refusal))
  response.writeHead(statusOf(refusal.code), {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  response.end(body)
}

/** Whether a configured proxy is in front of the request, so that its forwarding headers are no sign of another one. */
function isForwardedByTrusted({ headers, ips }: FastifyRequest, trusted: readonly string[]): boolean {
  if (trusted.length === 0) return false
  return headers['x-forwarded-for'] === undefined || (ips?.length ?? 0) > 1
}

/** An HTTP server with the API's limits, hooks and error handler; no routes. */
export function createApp({
  log,
  metrics,
  admit,
  slowUploads = new SlowUploads(),
  trustedProxies = [],
  isBehindProxy = false,
  hstsSeconds = 0,
  proxySigns,
  answerError = respondError,
}: AppParts): App {
  const { requestMs, checkMs } = slowUploads.limits
  const loggerInstance: FastifyBaseLogger = log
  const app: App = fastify({
    loggerInstance,
    // `logResponse` writes one line per response; a child logger per request would cost more.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    rewriteUrl: ({ url = '/' }) => withoutBrokenEscapes(url),
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestMs),
      connectionsCheckingInterval: checkMs,
      // Node would respond without a body; the hook below requires the header.
      requireHostHeader: false,
    },
    // A kept-alive connection may send requests while others finish; they are served normally.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error, request, reply) => {
      // Raised before any hook has run, so the request is admitted here: 401 and 429 must take precedence.
      reply.header('x-request-id', request.id)
      writeSecurityHeaders(reply, hstsSeconds)
      admit(request, reply, (refusal) => {
        // No route is matched yet, so "not found" would be meaningless: the original error is sent.
        const unknown = refusal instanceof DomainError && refusal.code === 'not_found'
        respondError(refusal && !unknown ? refusal : error, request, reply)
      })
    },
    clientErrorHandler: (error, socket) => {
      if (isRequestTimeout(error) && slowUploads.excuses(socket)) return
      answerClientError(error, socket)
    },
  })
  closeUnusedConnections(app)
  for (const method of OTHER_METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true })
  }
  app.server.on('checkExpectation', refuseExpectation)
  app.decorateRequest('principal', null)
  app.decorateRequest('person', null)
  app.decorateRequest('builderCaller', null)
  app.decorateRequest('ownWindowSeconds', null)
  app.decorateRequest('countedAddress', {
    getter() {
      return countedAddress(this, { isBehindProxy })
    },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      requirePlainUtf8(request.headers)
      done(null, parseJsonBody(bytes, request.routeOptions.bodyLimit))
    } catch (error) {
      done(asError(error))
    }
  })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => {
    throw noSuchRoute(request, reply)
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    writeSecurityHeaders(reply, hstsSeconds)
    if (proxySigns && !isForwardedByTrusted(request, trustedProxies)) {
      proxySigns.look(request.socket.remoteAddress, request.headers)
    }
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      done(new DomainError('validation_error', 'The Host header is missing.'))
    } else admit(request, reply, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    logResponse(metrics, request, reply)
    done()
  })
  return app
}
