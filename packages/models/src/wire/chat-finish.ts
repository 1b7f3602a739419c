import type { ChangeLine } from './sse-lines.ts'

/** Added to a stream whose server says no finish reason. */
const FINISH = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'

const HAS_FINISH = /"finish_reason"\s*:\s*"/
const HAS_CALL = /"(?:tool_calls|function_call)"\s*:\s*[[{]/
const HAS_TEXT = /"(?:content|text)"\s*:\s*"[^"]/
const HAS_ERROR = /"error"\s*:\s*[{"]/

/** The behaviour of one server, as far as its answers have shown it. */
export interface ServerHabits {
  /** Whether an answer of it had a finish reason: one without is then cut off. */
  sendsFinishReason: boolean
}

/**
 * Some servers of the chat protocol never say a finish reason. Where the server is not known to say one, a text that ends
 * with `[DONE]` is taken as whole and gets `stop`. A call of a tool is not: half of its arguments may be missing.
 *
 * @param onAdded called when the finish reason was added
 */
export function addsFinishReason(habits: ServerHabits, onAdded: () => void): ChangeLine {
  let hasText = false
  let isTaken = false
  /** What stands before a line. */
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
