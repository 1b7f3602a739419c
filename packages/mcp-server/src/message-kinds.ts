import { isJsonObject } from '@troupe/contract'

/** The id of the request that a cancel notification names; null for every other message. */
export function cancelledCall(message: unknown): string | number | null {
  if (!isJsonObject(message) || message.method !== 'notifications/cancelled') return null
  const { requestId } = isJsonObject(message.params) ? message.params : {}
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : null
}

/** Whether the answer is one JSON document. A call is a stream instead: it has progress, and its silence would look like a dead connection. */
export function answersTogether(message: unknown): boolean {
  return !isJsonObject(message) || message.method !== 'tools/call'
}

/** Whether a client opens a session. */
export function opensSession(message: unknown): boolean {
  return isJsonObject(message) && message.method === 'initialize'
}
