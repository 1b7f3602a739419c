import {
  DomainError,
  MAX_BODY_BYTES,
  type Operation,
  TRIGGER_OPERATIONS,
  type WorkflowRunId,
} from '@troupe/contract'
import { distinctHeaders } from '@troupe/http/distinct-headers'
import { pathParameter } from '@troupe/http/operation-call'
import { applyRateLimits } from '@troupe/http/rate-limit-headers'
import type { App } from '@troupe/http/server-types'
import type { PublishedWebhook } from '@troupe/operations/webhooks/published-webhooks'
import { receiveDelivery, unknownWebhook } from '@troupe/operations/webhooks/receive-delivery'
import { type Guard, visitorOf } from '@troupe/rate-limits'
import type { FastifyRequest } from 'fastify'
import type { Webhooks } from '../../wiring/create-webhooks.ts'

/** Dependencies of the webhook route. */
export interface WebhookRoutes {
  webhooks: Webhooks
  guard: Guard
}

/**
 * The webhook of workflows. In a separate scope, because bodies are raw bytes of any type: the signature covers the raw bytes, and
 * nothing parses them before it is verified.
 */
export function registerWebhooks(app: App, { webhooks, guard }: WebhookRoutes): void {
  const operation: Operation = TRIGGER_OPERATIONS.triggerWorkflow
  const requested = new WeakMap<FastifyRequest, PublishedWebhook>()
  const senderOf = (request: FastifyRequest) => visitorOf(request, pathParameter(request, 'webhookToken'))

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
    scope.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { access: operation.access, operation },
      bodyLimit: MAX_BODY_BYTES,
      schema: { response: { [operation.success.status]: operation.success.body } },
      // Before the body is read: rate limits of anonymous callers, and whether the webhook exists.
      onRequest: async (request) => {
        const visitor = senderOf(request)
        await guard.admit('webhook', visitor)
        await guard.checkFailures('webhook', visitor)
        if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
          throw new DomainError('payload_too_large', 'The request body is larger than 1 MB.')
        }
        const webhook = await webhooks.published.find(pathParameter(request, 'workflowId'), visitor.token)
        if (!webhook) {
          await guard.failed('webhook', visitor)
          throw unknownWebhook()
        }
        // Any content type is read as bytes, so that none is refused.
        request.headers['content-type'] = 'application/octet-stream'
        requested.set(request, webhook)
      },
      handler: async (request, reply): Promise<{ executionId: WorkflowRunId }> => {
        const webhook = requested.get(request)
        if (!webhook) throw unknownWebhook()
        const executionId = await receiveDelivery(webhooks, webhook, {
          headers: request.headers,
          distinct: distinctHeaders(request.raw.rawHeaders),
          raw: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          ip: request.ip,
          reload: () => webhooks.published.reload(webhook.workflowId, senderOf(request).token),
          judge: (principal, usage, now) => applyRateLimits(reply, principal, usage, now),
          failed: () => guard.failed('webhook', senderOf(request)),
        })
        reply.statusCode = operation.success.status
        return { executionId }
      },
    })
  })
}
