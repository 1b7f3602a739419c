import { ChatModelError } from '../ports/chat-models.ts'

/** Whether the request was refused as a bad one: what a model answers that cannot do what it is asked for. */
export function isRefusedRequest(error: unknown): boolean {
  return error instanceof ChatModelError && error.code === 'fatal' && /http_400/.test(error.internalMessage)
}
