import { isInterruption } from '@troupe/durable-work'
import { InputBlocked } from '../guardrails/input-gate.ts'
import type { Tool, ToolCall, ToolErrorCode, ToolOutcome } from '../ports/tool.ts'

const MESSAGE_CHARACTERS = 500

/** A failure as the model reads it. */
export function errorResult(code: ToolErrorCode, message: string): ToolOutcome {
  return { ok: false, code, message: message.slice(0, MESSAGE_CHARACTERS) }
}

/**
 * Returns the work's result, or throws the signal's reason once it fires: work that ignores the signal must
 * not block its run.
 */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
  })
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * Calls a tool within its time limit.
 *
 * @throws the reason of the call's signal, SliceEnded, or InputBlocked
 */
export async function callTool(
  tool: Tool,
  input: Record<string, unknown>,
  call: ToolCall,
): Promise<ToolOutcome> {
  const timeout = tool.timeoutMs === null ? null : AbortSignal.timeout(tool.timeoutMs)
  const signal = timeout ? AbortSignal.any([call.signal, timeout]) : call.signal
  try {
    const work = tool.execute(input, { ...call, signal })
    // A tool that keeps journal steps handles the abort itself, so that completed steps are recorded.
    return await (tool.rebuildsState ? work : orAborted(work, signal))
  } catch (error) {
    call.signal.throwIfAborted()
    if (isInterruption(error) || error instanceof InputBlocked) throw error
    if (timeout?.aborted)
      return errorResult('timeout', `The tool did not answer within ${tool.timeoutMs} ms.`)
    return errorResult('failed', 'The tool failed.')
  }
}
