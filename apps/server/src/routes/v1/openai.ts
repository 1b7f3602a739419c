import { DomainError, IdempotencyHeaders, validator } from '@troupe/contract'
import { ChatChunks } from '@troupe/http/openai-protocol/chat-chunks'
import { type ChatRequest, readChatRequest } from '@troupe/http/openai-protocol/chat-request'
import { chatCompletion } from '@troupe/http/openai-protocol/completion'
import { modelList } from '@troupe/http/openai-protocol/model-list'
import { principalOf } from '@troupe/http/operation-call'
import type { App } from '@troupe/http/server-types'
import type { Principal } from '@troupe/operations/access/principal'
import { findChatRunnable, listChatRunnables } from '@troupe/operations/runnables/find-chat-runnable'
import { type RunCall, runRequest } from '@troupe/operations/runs/run-call'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../wiring/context.ts'
import type { RunRoutes, RunStreams } from './runs.ts'

/** Dependencies of the OpenAI-compatible routes. */
export type OpenAiRoutes = RunRoutes & Pick<Context, 'database' | 'catalog'>

const checkHeaders = validator(IdempotencyHeaders)

/** @throws DomainError `validation_error` */
function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const checked = checkHeaders(headers)
  if (checked.ok) return checked.value['idempotency-key'] ?? null
  throw new DomainError('validation_error', 'The request is not valid.', { errors: checked.errors })
}

/** Registers the routes that clients of OpenAI's chat completions use. */
export function registerOpenAi(app: App, routes: OpenAiRoutes, streams: RunStreams): void {
  const { runner, database, catalog, clock } = routes

  const runOf = async (request: FastifyRequest, principal: Principal, chat: ChatRequest) => {
    const acceptedAt = clock.now()
    const idempotencyKey = idempotencyKeyOf(request)
    const found = await findChatRunnable({ read: database.read, catalog }, principal, chat.model)
    const path = request.url.split('?', 1)[0] ?? ''
    const call: RunCall = { principal, ...found, acceptedAt, path, idempotencyKey }
    const body = {
      message: chat.message,
      ...(chat.userId !== null && { user_id: chat.userId }),
      ...(chat.toolContext !== null && { tool_context: chat.toolContext }),
    }
    return runRequest(call, body, chat.stream ? 'api_stream' : 'api_sync', chat.history)
  }

  app.get('/api/v1/openai/models', { config: { access: 'api_key' } }, async (request) =>
    modelList(await listChatRunnables({ read: database.read }, principalOf(request))),
  )

  app.post('/api/v1/openai/chat/completions', { config: { access: 'api_key' } }, async (request, reply) => {
    const chat = readChatRequest(request.body)
    const run = await runOf(request, principalOf(request), chat)
    if (!chat.stream) return chatCompletion(chat.model, await runner.run(run))
    // An abandoned run can't be resumed, except by repeating the request with its Idempotency-Key.
    const cancelOnDisconnect = run.idempotency === null
    return streams.start(reply, run, { detail: 'answer', format: new ChatChunks(chat), cancelOnDisconnect })
  })
}
