import type { StreamEvent } from '@troupe/contract'
import type { ContentSource, RunContext } from './run-context.ts'

type ResetReason = Extract<StreamEvent, { event: 'RunContentReset' }>['reason']
/** Where a text goes: `answer` becomes the content of the run, `trace` is shown beside it. */
export type Channel = 'answer' | 'trace'

/** Writes one message: every delta goes to the stream at once, and into the answer when it belongs to it. */
export class MessageWriter {
  readonly #ctx: RunContext
  readonly #source: ContentSource
  readonly #channel: Channel
  #messageId: string
  text = ''

  constructor(ctx: RunContext, source: ContentSource, channel: Channel) {
    this.#ctx = ctx
    this.#source = source
    this.#channel = channel
    this.#messageId = ctx.messageIds.next()
  }

  get messageId(): string {
    return this.#messageId
  }

  append(delta: string): void {
    if (delta === '') return
    this.text += delta
    if (this.#channel === 'answer') this.#ctx.answer.append(this.#messageId, delta)
    this.#ctx.events?.emit('RunContent', {
      source: this.#source,
      messageId: this.#messageId,
      channel: this.#channel,
      delta,
    })
  }

  reasoning(delta: string): void {
    this.#ctx.events?.emit('ReasoningDelta', { source: this.#source, messageId: this.#messageId, delta })
  }

  /** Called when the model has finished: whatever a writer held back goes out now. */
  finish(): void {}

  /** Voids what was written; what follows is a new message. Says nothing when nothing was written. */
  reset(reason: ResetReason): void {
    if (this.text === '') return
    this.#ctx.answer.reset(this.#messageId)
    this.#ctx.events?.emit('RunContentReset', { source: this.#source, messageId: this.#messageId, reason })
    this.text = ''
    this.#messageId = this.#ctx.messageIds.next()
  }
}
