import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * One call of a chat model, as the requests below its provider package see it: what was unusual about its answer, and
 * an answer that came whole.
 */
export class WireCall {
  /** What the trace says of an answer that was accepted although it is not what was asked for; '' when it is. */
  note = ''
  /** The next request is answered with this and is not sent. */
  replay: Response | null = null
}

/** Adds a sentence to the note of a call. */
export function addNote(call: WireCall, sentence: string): void {
  call.note = call.note === '' ? sentence : `${call.note} ${sentence}`
}

/** The call to which a request belongs; none for embeddings and rankings. */
export const wireCalls = new AsyncLocalStorage<WireCall>()
