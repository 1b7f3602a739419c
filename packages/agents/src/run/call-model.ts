import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { ChatModelError } from '../ports/chat-models.ts'

/** Receives the parts of an answer in the tick in which they arrive. */
export interface AnswerSink {
  text(delta: string): void
  reasoning(delta: string): void
}

/** Why a model stopped, in the provider-independent terms of the AI SDK. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other'

/** A tool that the model called. */
export interface ModelToolCall {
  name: string
  /** The provider's text, which should be a JSON object. */
  input: string
}

/** The result of one model step besides its text. */
export interface ModelAnswer {
  finishReason: FinishReason
  /** In the model's order, without calls that the provider executed itself. */
  toolCalls: ModelToolCall[]
}

/**
 * Makes text deltas storable, so that a replay equals the live stream. A provider may split a surrogate pair
 * between deltas: the first half is held back until the second arrives. NUL, which PostgreSQL rejects, is
 * dropped.
 */
function storableDeltas(write: (delta: string) => void): { write(delta: string): void; end(): void } {
  let held = ''
  return {
    write(delta) {
      const text = held + (delta.includes('\0') ? delta.replaceAll('\0', '') : delta)
      const last = text.charCodeAt(text.length - 1)
      held = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ''
      const ready = held === '' ? text : text.slice(0, -1)
      if (ready !== '') write(ready.toWellFormed())
    },
    end() {
      if (held !== '') write(held.toWellFormed())
    },
  }
}

/**
 * One model step, always read as a stream, also for synchronous runs: first-token and idle limits apply to
 * both, and a cancelled run keeps its partial text. Throws {@link ChatModelError}, or the signal's reason
 * when it fired.
 */
export async function callModel(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions & { abortSignal: AbortSignal },
  sink: AnswerSink,
): Promise<ModelAnswer> {
  const { stream } = await model.doStream(options)
  const reader = stream.getReader()
  const text = storableDeltas((delta) => sink.text(delta))
  const toolCalls: ModelToolCall[] = []
  let finish: FinishReason | 'error' | 'interrupted' = 'interrupted'
  for (;;) {
    const { done, value: part } = await reader.read()
    if (done) break
    if (part.type === 'text-delta') text.write(part.delta)
    else if (part.type === 'reasoning-delta') sink.reasoning(part.delta)
    else if (part.type === 'tool-call') {
      if (!part.providerExecuted) toolCalls.push({ name: part.toolName, input: part.input })
    } else if (part.type === 'finish') finish = part.finishReason.unified
    else if (part.type === 'error') throw part.error
  }
  text.end()
  options.abortSignal.throwIfAborted()
  if (finish === 'error' || finish === 'interrupted') {
    throw new ChatModelError('stream_broken', "The model's answer was cut off.", `finish reason ${finish}`)
  }
  return { finishReason: finish, toolCalls }
}
