import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { type BuilderHandler, Unchanged } from '@troupe/operations/handlers/handler'
import type { FastifyReply } from 'fastify'

/** Registers operations of the builder with their handlers. */
export function registerHandlers(app: App, handlers: readonly BuilderHandler[]): void {
  for (const { operation, handle, ...options } of handlers) {
    registerOperation(app, operation, async (call, reply) => answered(reply, await handle(call)), options)
  }
}

/** The response body; sets 200 for a repeated create. */
export function answered<T>(reply: FastifyReply, answer: T | Unchanged<T>): T {
  if (!(answer instanceof Unchanged)) return answer
  reply.statusCode = 200
  return answer.body
}
