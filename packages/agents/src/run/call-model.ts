import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import { isBlank } from '@troupe/contract'
import { ChatModelError } from '../ports/chat-models.ts'
import type { StepState } from '../ports/step-state.ts'
import { isAnswerText, isCommentary, StepRecorder } from './step-recorder.ts'

/** Receives the parts of an answer in the tick in which they arrive. */
export interface AnswerSink {
  text(delta: string): void
  reasoning(delta: string): void
  /** Text beside the answer (OpenAI's phase `commentary`), for viewers. */
  commentary?(delta: string): void
  /** All text so far is void: a part of it turned out to be commentary. The valid part follows again. */
  voided?(): void
}

/** Why a model stopped, in the provider-independent terms of the AI SDK. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other'

/**
 * Whether the calls of a step are complete. A step that ended in any other way may have cut the arguments of a call, or
 * left them out.
 */
export function isWholeStep(finishReason: FinishReason): boolean {
  return finishReason === 'stop' || finishReason === 'tool-calls'
}

/** A tool that the model called. */
export interface ModelToolCall {
  name: string
  /** The provider's text, which should be a JSON object. */
  input: string
}

/** The result of one model step. */
export interface ModelAnswer {
  /** The text of the answer; empty if the model wrote only white space. */
  text: string
  finishReason: FinishReason
  /** In the model's order, without calls that the provider executed itself. */
  toolCalls: ModelToolCall[]
  /** Provider state to send back with the step; null if that is only the text. */
  state: StepState | null
}

/**
 * Makes text deltas storable, so that a replay equals the live stream. A provider may split a surrogate pair between
 * deltas: the first half is held back until the second arrives. NUL, which PostgreSQL rejects, is dropped. White space
 * is held back until other text follows, because an answer of only white space counts as empty.
 */
function storableDeltas(write: (delta: string) => void): { write(delta: string): void; end(): void } {
  let held = ''
  let blank: string | null = ''
  const put = (text: string) => {
    if (blank === null) return write(text)
    blank += text
    if (isBlank(text)) return
    write(blank)
    blank = null
  }
  return {
    write(delta) {
      const text = held + (delta.includes('\0') ? delta.replaceAll('\0', '') : delta)
      const last = text.charCodeAt(text.length - 1)
      held = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ''
      const ready = held === '' ? text : text.slice(0, -1)
      if (ready !== '') put(ready.toWellFormed())
    },
    end() {
      if (held !== '') put(held.toWellFormed())
    },
  }
}

type TextKind = 'answer' | 'commentary' | 'hidden'

function kindOf(metadata: SharedV4ProviderMetadata | undefined): TextKind {
  if (isAnswerText(metadata)) return 'answer'
  return isCommentary(metadata) ? 'commentary' : 'hidden'
}

/** One attempt at an answer: its texts as they are written, its calls, and its state. */
class StreamedStep {
  readonly #sink: AnswerSink
  readonly #recorder = new StepRecorder()
  readonly #texts = new Map<string, { kind: TextKind; text: string }>()
  readonly toolCalls: ModelToolCall[] = []
  #writer: ReturnType<typeof storableDeltas>
  text = ''

  constructor(sink: AnswerSink) {
    this.#sink = sink
    this.#writer = this.#open()
  }

  add(part: LanguageModelV4StreamPart): void {
    this.#recorder.add(part)
    if (part.type === 'text-start') this.#start(part.id)
    else if (part.type === 'text-delta') this.#write(part.id, part.delta)
    else if (part.type === 'text-end') this.#end(part.id)
    else if (part.type === 'reasoning-delta') this.#sink.reasoning(part.delta)
    else if (part.type === 'tool-call' && !part.providerExecuted) {
      this.toolCalls.push({ name: part.toolName, input: part.input })
    }
  }

  end(): void {
    this.#writer.end()
  }

  state(finish: SharedV4ProviderMetadata | undefined): StepState | null {
    return this.#recorder.state(finish)
  }

  #open(): ReturnType<typeof storableDeltas> {
    return storableDeltas((delta) => {
      this.text += delta
      this.#sink.text(delta)
    })
  }

  #start(id: string): void {
    // Ids may repeat within one answer: the earlier text is kept under another key.
    const before = this.#texts.get(id)
    if (before) this.#texts.set(`${id} ${this.#texts.size}`, before)
    this.#texts.delete(id)
    this.#texts.set(id, { kind: kindOf(this.#recorder.metadataOf('text', id)), text: '' })
  }

  #write(id: string, delta: string): void {
    if (!this.#texts.has(id)) this.#start(id)
    const text = this.#texts.get(id)
    if (!text) return
    text.text += delta
    if (text.kind === 'answer') this.#writer.write(delta)
    else if (text.kind === 'commentary') this.#sink.commentary?.(delta)
  }

  /** A provider may classify a text only at its end. */
  #end(id: string): void {
    const text = this.#texts.get(id)
    const kind = kindOf(this.#recorder.metadataOf('text', id))
    if (!text || text.kind === kind || text.kind !== 'answer') return
    text.kind = kind
    if (text.text === '') return
    this.#sink.voided?.()
    this.text = ''
    this.#writer = this.#open()
    for (const { kind, text } of this.#texts.values()) if (kind === 'answer') this.#writer.write(text)
    if (kind === 'commentary') this.#sink.commentary?.(text.text)
  }
}

/**
 * One model step, always read as a stream, including for synchronous runs: first-token and idle limits apply to
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
  let step = new StreamedStep(sink)
  let finish: FinishReason | 'error' | 'interrupted' = 'interrupted'
  let metadata: SharedV4ProviderMetadata | undefined
  for (;;) {
    const { done, value: part } = await reader.read()
    if (done) break
    // Another model of the chain starts over: the broken answer is void, including its calls.
    if (part.type === 'stream-start') step = new StreamedStep(sink)
    else if (part.type === 'finish') {
      finish = part.finishReason.unified
      metadata = part.providerMetadata
    } else if (part.type === 'error') throw part.error
    else step.add(part)
  }
  step.end()
  options.abortSignal.throwIfAborted()
  if (finish === 'error' || finish === 'interrupted') {
    throw new ChatModelError('stream_broken', "The model's answer was cut off.", `finish reason ${finish}`)
  }
  return { text: step.text, finishReason: finish, toolCalls: step.toolCalls, state: step.state(metadata) }
}
