import type { StreamEvent } from '@troupe/contract'

/** A raw event stream over a real connection, read as it arrives. */
export interface EventReader {
  status: number
  headers: Headers
  /** Every event so far. */
  events: StreamEvent[]
  /** The raw text so far. */
  text(): string
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  /** Closes the connection. */
  close(): void
}

/** Sends a request and reads its event stream without a library, so that the wire format itself is under test. */
export async function readEvents(url: string, init: RequestInit): Promise<EventReader> {
  const controller = new AbortController()
  const response = await fetch(url, { ...init, signal: controller.signal })
  const events: StreamEvent[] = []
  let text = ''
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const blocks = text.split('\n\n').slice(0, -1)
      const parsed = blocks.flatMap((block) => {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        return data === undefined ? [] : [JSON.parse(data) as StreamEvent]
      })
      events.splice(0, events.length, ...parsed)
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    ended: read().catch(() => {}),
    close: () => controller.abort(),
  }
}
