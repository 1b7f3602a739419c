/** The most that one answer of a server may have, in bytes: it is parsed on the event loop. */
const MAX_BYTES = 1024 * 1024

/**
 * The guarded fetch as the protocol's client uses it: without redirects, which would take the headers along, without
 * the stream of notifications, which nothing here reads, and with a limit for each answer.
 *
 * @param onExcess Called once an answer exceeds the limit; its stream then fails.
 */
export function cappedFetch(fetch: typeof globalThis.fetch, onExcess: () => void): typeof globalThis.fetch {
  return async (input, init = {}) => {
    if (init.method === 'GET') return new Response(null, { status: 405 })
    const response = await fetch(input, { ...init, redirect: 'error' })
    return response.body === null ? response : capped(response, response.body, onExcess)
  }
}

function capped(response: Response, body: ReadableStream<Uint8Array>, onExcess: () => void): Response {
  let bytes = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes <= MAX_BYTES) return controller.enqueue(chunk)
      controller.error(new Error('too large'))
      onExcess()
    },
  })
  const { status, statusText, headers } = response
  return new Response(body.pipeThrough(counter), { status, statusText, headers })
}
