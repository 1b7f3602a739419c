import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** Maximum length of a single event, in characters. A run's result with its messages must fit. */
const MAX_EVENT_CHARACTERS = 32 * 1024 * 1024

/** Callbacks of a reader besides the events. */
export interface WireSignals {
  /** Bytes arrived: an event, a part of one, or a ping. */
  onBytes(): void
  /** The server sent the milliseconds to wait before a reconnect. */
  onRetry(ms: number): void
}

/**
 * Parses the events of a response body. Ends with the body (an unfinished event is dropped), throws when the
 * connection breaks or an event exceeds 32 M characters. Leaving the loop cancels the body.
 */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
  signals: WireSignals,
): AsyncGenerator<EventSourceMessage, void> {
  const arrived: EventSourceMessage[] = []
  let defect: Error | undefined
  const parser = createParser({
    onEvent: (message) => arrived.push(message),
    onRetry: signals.onRetry,
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') defect = error
    },
    maxBufferSize: MAX_EVENT_CHARACTERS,
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      signals.onBytes()
      parser.feed(decoder.decode(value, { stream: true }))
      if (defect) throw defect
      yield* arrived.splice(0)
    }
  } finally {
    // Rejects when the connection is already broken, which the loop has reported.
    await reader.cancel().catch(() => undefined)
  }
}
