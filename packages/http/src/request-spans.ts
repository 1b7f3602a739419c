import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import type { App } from './server-types.ts'

/** A span for each request, as parent of the handler's spans. Registered only when tracing is on. */
export function traceRequests(app: App): void {
  const tracer = trace.getTracer('troupe')
  const spans = new WeakMap<FastifyRequest, Span>()

  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
    const caller = propagation.extract(context.active(), request.headers)
    const attributes = { 'http.request.method': request.method, 'http.route': route }
    const options = { kind: SpanKind.SERVER, attributes }
    spans.set(request, tracer.startSpan(`${request.method} ${route}`, options, caller))
    done()
  })
  // Entered here and not at the start: the events of the body's socket would lose the context.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) context.with(trace.setSpan(context.active(), span), done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    spans.get(request)?.end()
    done()
  })
}
