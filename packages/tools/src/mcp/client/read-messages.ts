import { isJsonObject, JSON_BUDGET, parseJson } from '@troupe/contract'

/** Larger messages are not read: they are parsed on the event loop. */
export const MAX_MESSAGE_BYTES = 1024 * 1024
const BUDGET = { ...JSON_BUDGET, characters: MAX_MESSAGE_BYTES, levels: 128 }
/** Budget for a message that is only passed on. Parsing this many properties of one object takes 25 ms. */
const MAX_VALUES = 50_000
/** Budget for a list of tools, whose objects are traversed again for validation. */
const MAX_LISTED_VALUES = 25_000

/** One message of a server, reduced to the parsed fields. */
export type ServerMessage =
  | { kind: 'request'; id: string | number; method: string }
  | { kind: 'result'; id: string | number; result: unknown }
  | { kind: 'error'; id: string | number | null; code: number; message: string }

/** The messages of a text; `fault` is the reason for not parsing it, as a sentence. */
export type ReadMessages = { ok: true; messages: ServerMessage[] } | { ok: false; fault: string }

const isId = (id: unknown): id is string | number => typeof id === 'string' || typeof id === 'number'

/** null for notifications, which are ignored here, and for values that are not messages. */
function messageOf(value: unknown): ServerMessage | null {
  if (!isJsonObject(value) || value.jsonrpc !== '2.0') return null
  const { id, method, error } = value
  if (typeof method === 'string') return isId(id) ? { kind: 'request', id, method } : null
  if (isJsonObject(error)) {
    const { code, message } = error
    return {
      kind: 'error',
      id: isId(id) ? id : null,
      code: typeof code === 'number' ? code : 0,
      message: typeof message === 'string' ? message : '',
    }
  }
  return isId(id) && Object.hasOwn(value, 'result') ? { kind: 'result', id, result: value.result } : null
}

/**
 * Reads a message, or a batch of them, which the version 2025-03-26 allowed. The text is measured before it is parsed;
 * text that is not JSON has no messages.
 *
 * @param method The method of the request.
 */
export function readMessages(text: string, method = ''): ReadMessages {
  const values = method === 'tools/list' ? MAX_LISTED_VALUES : MAX_VALUES
  // Limits in the schemas of tools stay numbers.
  const longNumbers = method === 'tools/list' ? 'round' : 'text'
  const parsed = parseJson(text, { ...BUDGET, values }, longNumbers)
  if (!parsed.ok) {
    return parsed.excess === null
      ? { ok: true, messages: [] }
      : { ok: false, fault: `Its answer is too large: it has ${parsed.excess}.` }
  }
  const all = Array.isArray(parsed.value) ? parsed.value : [parsed.value]
  return { ok: true, messages: all.map(messageOf).filter((message) => message !== null) }
}
