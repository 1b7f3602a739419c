import multipart from '@fastify/multipart'
import { DomainError, type IdText, MAX_BODY_BYTES, type WorkflowRunId } from '@troupe/contract'
import { distinctHeaders } from '@troupe/http/distinct-headers'
import { pathParameter } from '@troupe/http/operation-call'
import { applyRateLimits } from '@troupe/http/rate-limit-headers'
import { respondError, toDomainError } from '@troupe/http/respond-error'
import type { App } from '@troupe/http/server-types'
import type { SlowUploads } from '@troupe/http/slow-uploads'
import { formNotFound } from '@troupe/operations/forms/form-errors'
import { findListenedForm, type ListenedForm } from '@troupe/operations/listeners/form-listener'
import {
  findWebhookListener,
  keepLongCall,
  receiveTestCall,
  type WebhookListener,
} from '@troupe/operations/listeners/webhook-listener'
import { unknownWebhook } from '@troupe/operations/webhooks/receive-delivery'
import { type Guard, visitorOf } from '@troupe/rate-limits'
import type { FastifyRequest } from 'fastify'
import { requireAdmission } from '../access/require-admission.ts'
import { receiveFormFile } from '../pages/forms/receive-form-file.ts'
import type { Forms } from '../wiring/create-forms.ts'
import type { Webhooks } from '../wiring/create-webhooks.ts'

/** Dependencies of the test addresses. */
export interface ListenerRoutes {
  webhooks: Webhooks
  forms: Forms
  guard: Guard
  slowUploads: Pick<SlowUploads, 'admit'>
}

/** The addresses of listeners that are not pages: calls of webhooks, and files of forms. */
export function registerListeners(app: App, routes: ListenerRoutes): void {
  registerTestCalls(app, routes)
  registerTestUploads(app, routes)
}

/** The test address of a webhook, with the checks of the webhook in their order: see `v1/webhooks.ts`. */
function registerTestCalls(app: App, { webhooks, guard }: ListenerRoutes): void {
  const called = new WeakMap<FastifyRequest, WebhookListener>()
  const senderOf = (request: FastifyRequest) => visitorOf(request, pathParameter(request, 'token'))
  const distinctOf = (request: FastifyRequest) => distinctHeaders(request.raw.rawHeaders)

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
    scope.setErrorHandler(async (error, request, reply) => {
      const listener = called.get(request)
      if (listener && toDomainError(error, request.routeOptions)?.code === 'payload_too_large') {
        await keepLongCall(webhooks, listener, { ip: request.ip, distinct: distinctOf(request) })
      }
      return respondError(error, request, reply)
    })
    scope.route({
      method: 'POST',
      url: '/trigger-test/:token',
      config: { access: 'open' },
      bodyLimit: MAX_BODY_BYTES,
      onRequest: async (request) => {
        const visitor = senderOf(request)
        await guard.admit('webhook', visitor)
        await guard.checkFailures('webhook', visitor)
        const listener = await findWebhookListener(webhooks, visitor.token)
        if (listener) called.set(request, listener)
        if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
          throw new DomainError('payload_too_large', 'The request body is larger than 1 MB.')
        }
        if (!listener) {
          await guard.failed('webhook', visitor)
          throw unknownWebhook()
        }
        // Any content type is read as bytes, so that none is refused.
        request.headers['content-type'] = 'application/octet-stream'
      },
      handler: async (request, reply): Promise<{ executionId: IdText<WorkflowRunId> }> => {
        const listener = called.get(request)
        if (!listener) throw unknownWebhook()
        const executionId = await receiveTestCall(webhooks, listener, {
          headers: request.headers,
          distinct: distinctOf(request),
          raw: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          ip: request.ip,
          judge: (principal, usage, now) => applyRateLimits(reply, principal, usage, now),
          failed: () => guard.failed('webhook', senderOf(request)),
        })
        reply.statusCode = 202
        return { executionId }
      },
    })
  })
}

/** Where the script of a test form sends files. */
function registerTestUploads(app: App, { forms, slowUploads }: ListenerRoutes): void {
  const { guard, access } = forms
  const admitted = new WeakMap<FastifyRequest, ListenedForm>()
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.register(multipart)
    scope.route({
      method: 'POST',
      url: '/forms/preview/:formToken/upload',
      config: { access: 'open' },
      onRequest: async (request, reply) => {
        const token = pathParameter(request, 'formToken')
        await guard.admit('formWrite', visitorOf(request, token))
        const form = await findListenedForm(forms, token)
        if (!form) throw formNotFound()
        await requireAdmission(access, form, request, reply)
        admitted.set(request, form)
      },
      handler: async (request, reply) => {
        const form = admitted.get(request)
        if (!form) throw formNotFound()
        reply.statusCode = 201
        return receiveFormFile({ forms, slowUploads }, form, request)
      },
    })
  })
}
