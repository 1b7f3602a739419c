import type { StreamEvent } from '@troupe/contract'
import type { ContentSource } from './content-source.ts'
import type { RunOutput } from './run-context.ts'

type ResetReason = Extract<StreamEvent, { event: 'RunContentReset' }>['reason']
/** The channel of a text: `answer` becomes the run's content, `trace` is shown beside it. */
export type Channel = 'answer' | 'trace'

/**
 * Writes one message: every delta is streamed immediately, and added to the answer on the `answer` channel.
 */
export class MessageWriter {
  readonly #output: RunOutput
  readonly #source: ContentSource
  readonly #channel: Channel
  #messageId: string
  text = ''

  constructor(output: RunOutput, source: ContentSource, channel: Channel) {
    this.#output = output
    this.#source = source
    this.#channel = channel
    this.#messageId = output.messageIds.next()
  }

  get messageId(): string {
    return this.#messageId
  }

  append(delta: string): void {
    if (delta === '') return
    this.text += delta
    if (this.#channel === 'answer') this.#output.answer.append(this.#messageId, delta)
    this.#output.events?.emit('RunContent', {
      source: this.#source,
      messageId: this.#messageId,
      channel: this.#channel,
      delta,
    })
  }

  reasoning(delta: string): void {
    this.#output.events?.emit('ReasoningDelta', { source: this.#source, messageId: this.#messageId, delta })
  }

  /** Called when the model has finished: a writer that held text back writes it now. */
  finish(): void {}

  /** Voids the written text; later text is a new message. Emits nothing when no text was written. */
  reset(reason: ResetReason): void {
    if (this.text === '') return
    this.#output.answer.reset(this.#messageId)
    this.#output.events?.emit('RunContentReset', { source: this.#source, messageId: this.#messageId, reason })
    this.text = ''
    this.#messageId = this.#output.messageIds.next()
  }
}
