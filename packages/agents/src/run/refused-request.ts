import { ChatModelError } from '../ports/chat-models.ts'

/**
 * Whether the provider rejected the request as invalid: the response of a model without a requested feature.
 */
export function isRefusedRequest(error: unknown): boolean {
  return error instanceof ChatModelError && error.code === 'fatal' && error.refusesRequest
}
