import { propertyOf } from '@troupe/contract'
import type { AnyRunEvent } from './run-events.ts'

/** One change of the answer during streaming. */
export interface AnswerUpdate {
  /** The current complete answer. Displaying only this is always correct. */
  text: string
  /** The appended text; empty when text was retracted. */
  delta: string
  /** True when earlier text turned out not to be part of the answer. */
  reset: boolean
}

interface Content {
  messageId: unknown
  channel: unknown
  delta: string
}

/** The text of a `RunContent`; null for other content. */
function contentOf(event: AnyRunEvent): Content | null {
  const delta = propertyOf(event, 'delta')
  const facts = { messageId: propertyOf(event, 'messageId'), channel: propertyOf(event, 'channel') }
  return typeof delta === 'string' ? { ...facts, delta } : null
}

/**
 * Tracks the answer through a run's events: deltas of the channel `answer`, without messages that were reset.
 */
export async function* answerText(events: AsyncIterable<AnyRunEvent>): AsyncGenerator<AnswerUpdate, void> {
  const parts: Content[] = []
  const taken = new Set<unknown>()
  let text = ''
  for await (const event of events) {
    if (event.event === 'RunContent') {
      const content = contentOf(event)
      if (content?.channel !== 'answer' || taken.has(content.messageId)) continue
      parts.push(content)
      text += content.delta
      yield { text, delta: content.delta, reset: false }
    } else if (event.event === 'RunContentReset') {
      taken.add(propertyOf(event, 'messageId'))
      const kept = parts.filter((part) => !taken.has(part.messageId))
      if (kept.length === parts.length) continue
      parts.splice(0, parts.length, ...kept)
      text = kept.map((part) => part.delta).join('')
      yield { text, delta: '', reset: true }
    }
  }
}
