import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * One call of a chat model, as seen by the HTTP layer below its provider package: the anomalies of its response, and a
 * complete answer if one was returned in place of a stream.
 */
export class WireCall {
  /** The trace's note on an accepted answer of another kind than requested; '' if there is none. */
  note = ''
  /** Returned for the next request, which is not sent. */
  replay: Response | null = null
}

/** Adds a sentence to the note of a call. */
export function addNote(call: WireCall, sentence: string): void {
  call.note = call.note === '' ? sentence : `${call.note} ${sentence}`
}

/** The call to which a request belongs; none for embeddings and rankings. */
export const wireCalls = new AsyncLocalStorage<WireCall>()
