import type { ChangeLine } from './sse-lines.ts'

/** Added to a stream if the server sends no finish reason. */
const FINISH = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'

const HAS_FINISH = /"finish_reason"\s*:\s*"/
const HAS_CALL = /"(?:tool_calls|function_call)"\s*:\s*[[{]/
const HAS_TEXT = /"(?:content|text)"\s*:\s*"[^"]/
const HAS_ERROR = /"error"\s*:\s*[{"]/

/** The behaviour of one server, as observed in its responses. */
export interface ServerHabits {
  /** Whether it has ever sent a finish reason: an answer without one is then incomplete. */
  sendsFinishReason: boolean
}

/**
 * Some servers of the chat protocol never send a finish reason. If the server is not known to send one, a text that
 * ends with `[DONE]` counts as complete and gets `stop`. A tool call does not: half of its arguments may be missing.
 *
 * @param onAdded called when the finish reason was added
 */
export function addsFinishReason(habits: ServerHabits, onAdded: () => void): ChangeLine {
  let hasText = false
  let isTaken = false
  /** The text to insert before a line. */
  const before = (whole: string): string => {
    if (habits.sendsFinishReason || isTaken || !whole.startsWith('data:')) return ''
    if (/^data:\s*\[DONE\]\s*$/.test(whole)) {
      if (!hasText) return ''
      isTaken = true
      onAdded()
      return FINISH
    }
    if (HAS_FINISH.test(whole)) habits.sendsFinishReason = true
    else if (HAS_CALL.test(whole) || HAS_ERROR.test(whole)) isTaken = true
    else hasText ||= HAS_TEXT.test(whole)
    return ''
  }
  return (line) => before(line) + line
}
