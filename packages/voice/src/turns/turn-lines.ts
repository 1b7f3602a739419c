import type { StreamEvent } from '@troupe/contract'
import { TURN_ACTIONS, type TurnAction, type TurnLine } from '@troupe/contract/voice-worker'

function actionOf(toolName: string): TurnAction | null {
  return TURN_ACTIONS.find((name) => name === toolName) ?? null
}

/**
 * The events of one run as the lines of a turn: the speech and the actions. Members' own texts and calls are omitted.
 */
export class TurnLines {
  readonly #arguments = new Map<string, Record<string, unknown>>()
  #hasText = false

  /** The lines of the next event; empty for events that a worker ignores. */
  of(event: StreamEvent): readonly TurnLine[] {
    switch (event.event) {
      case 'RunContent':
        return event.channel === 'answer' ? this.#text(event.delta) : []
      case 'ToolCallStarted':
        if (event.source.role === 'member') return []
        this.#arguments.set(event.toolCallId, event.args)
        return [{ t: 'tool', phase: 'started', name: event.toolName }]
      case 'ToolCallError':
        return this.#finished(event, false)
      case 'ToolCallCompleted':
        return this.#finished(event, true)
      case 'RunCompleted':
        return this.#completed(event)
      case 'RunError':
        return [{ t: 'error', code: event.error, message: event.message }]
      case 'RunCancelled':
        // The answer ends without a last line, as when the server is killed: the worker asks the caller to repeat.
        if (event.reason === 'shutdown') return []
        return [{ t: 'error', code: 'run_cancelled', message: 'The run was cancelled.' }]
      default:
        return []
    }
  }

  #text(delta: string): TurnLine[] {
    if (delta === '') return []
    this.#hasText = true
    return [{ t: 'text', d: delta }]
  }

  #finished(
    event: Extract<StreamEvent, { event: 'ToolCallCompleted' | 'ToolCallError' }>,
    isDone: boolean,
  ): TurnLine[] {
    const { source, toolCallId, toolName } = event
    if (source.role === 'member') return []
    const lines: TurnLine[] = [{ t: 'tool', phase: 'finished', name: toolName }]
    const action = isDone ? actionOf(toolName) : null
    if (action) lines.push({ t: 'action', name: action, args: this.#arguments.get(toolCallId) ?? {} })
    this.#arguments.delete(toolCallId)
    return lines
  }

  #completed({ runId, result }: Extract<StreamEvent, { event: 'RunCompleted' }>): TurnLine[] {
    const { inputTokens, outputTokens, failoverUsed } = result.metrics
    return [
      ...(this.#hasText ? [] : this.#text(result.content)),
      { t: 'usage', inputTokens, outputTokens, failoverUsed },
      { t: 'done', runId, success: result.success },
    ]
  }
}
