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
export function addsFinishReason(
  habits: ServerHabits,
  onAdded: () => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  // The last line so far, in pieces: joining it anew with each piece would be quadratic in a long line.
  let line: string[] = []
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
  const lines = (text: string): string => {
    const pieces = text.split('\n')
    const last = pieces.pop() ?? ''
    let out = ''
    for (const piece of pieces) {
      const whole = [...line, piece].join('')
      line = []
      out += `${before(whole)}${whole}\n`
    }
    if (last !== '') line.push(last)
    return out
  }
  return new TransformStream({
    transform(bytes, controller) {
      const out = lines(decoder.decode(bytes, { stream: true }))
      if (out !== '') controller.enqueue(encoder.encode(out))
    },
    flush(controller) {
      const rest = [...line, decoder.decode()].join('')
      if (rest !== '') controller.enqueue(encoder.encode(before(rest) + rest))
    },
  })
}
