import type { StreamEvent } from '@troupe/contract'
import { completionId, completionUsage, finishReason } from './completion.ts'
import { openAiError } from './error.ts'

const DONE = 'data: [DONE]\n\n'
/** Separates a text that the run retracted from its replacement: the protocol cannot retract text. */
const NEW_PARAGRAPH = '\n\n'

/** The events of one run as the chunks of a streamed chat completion. */
export class ChatChunks {
  /** Empty: clients of this protocol do not reconnect. */
  readonly opening = ''
  readonly #model: string
  readonly #includeUsage: boolean
  /** The same in every chunk; set by the first event. */
  #created: number | null = null
  /** The parts of a chunk before and after its delta; set by the first event. */
  #before = ''
  readonly #after: string
  /** Whether the reader has a text that is not retracted. */
  #stands = false
  /** Whether the reader has any text. */
  #written = false

  constructor({ model, includeUsage }: { model: string; includeUsage: boolean }) {
    this.#model = model
    this.#includeUsage = includeUsage
    this.#after = `,"logprobs":null,"finish_reason":null}]${includeUsage ? ',"usage":null' : ''}}\n\n`
  }

  /** The text to send for an event; empty for events without a counterpart in the protocol. */
  encode(event: StreamEvent): string {
    switch (event.event) {
      case 'RunStarted':
        this.#before = `data: ${JSON.stringify(this.#head(event)).slice(0, -1)},"choices":[{"index":0,"delta":`
        return `${this.#before}{"role":"assistant","content":"","refusal":null}${this.#after}`
      case 'RunContent':
        return event.channel === 'answer' ? this.#content(event.delta) : ''
      case 'RunContentReset':
        this.#stands = false
        return ''
      case 'RunCompleted':
        return this.#end(event)
      case 'RunError':
        return errorChunk(event.error, event.message)
      case 'RunCancelled':
        return errorChunk('run_cancelled', 'The run was cancelled.')
      default:
        return ''
    }
  }

  #content(delta: string): string {
    const text = this.#written && !this.#stands ? NEW_PARAGRAPH + delta : delta
    this.#stands = true
    this.#written = true
    return `${this.#before}{"content":${JSON.stringify(text)}}${this.#after}`
  }

  #end(event: Extract<StreamEvent, { event: 'RunCompleted' }>): string {
    const { result } = event
    const late = !this.#stands && result.content !== '' ? this.#content(result.content) : ''
    const choice = { index: 0, delta: {}, logprobs: null, finish_reason: finishReason(result) }
    const head = this.#head(event)
    const last = { ...head, choices: [choice], ...(this.#includeUsage && { usage: null }) }
    const usage = { ...head, choices: [], usage: completionUsage(result.metrics) }
    return late + chunk(last) + (this.#includeUsage ? chunk(usage) : '') + DONE
  }

  #head({ runId, createdAt }: Pick<StreamEvent, 'runId' | 'createdAt'>) {
    this.#created ??= createdAt
    return {
      id: completionId(runId),
      object: 'chat.completion.chunk' as const,
      created: this.#created,
      model: this.#model,
    }
  }
}

function chunk(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

function errorChunk(error: string, message: string): string {
  return chunk(openAiError({ error, message }))
}
