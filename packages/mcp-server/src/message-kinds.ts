import { isJsonObject, jsonBytes } from '@troupe/contract'

/** The protocol's own fields are small, and the SDK reads each of them several times. */
const MAX_OWN_BYTES = 64 * 1024

/** Whether a message has more than 64 KB besides the arguments of a call. */
export function isTooLarge(message: unknown): boolean {
  const { params, ...rest } = isJsonObject(message) ? message : { params: message }
  const { arguments: _, ...own } = isJsonObject(params) ? params : { arguments: null, params }
  return jsonBytes({ ...rest, own }, MAX_OWN_BYTES) > MAX_OWN_BYTES
}

/** The id of the request that a cancel notification names; null for every other message. */
export function cancelledCall(message: unknown): string | number | null {
  if (!isJsonObject(message) || message.method !== 'notifications/cancelled') return null
  const { requestId } = isJsonObject(message.params) ? message.params : {}
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : null
}

/**
 * Whether the response is one JSON document. A call is a stream instead: it has progress, and silence would look like a dead connection.
 */
export function answersTogether(message: unknown): boolean {
  return !isJsonObject(message) || message.method !== 'tools/call'
}

/** Whether a client opens a session. */
export function opensSession(message: unknown): boolean {
  return isJsonObject(message) && message.method === 'initialize'
}
