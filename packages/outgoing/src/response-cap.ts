/**
 * The dispatcher caps the bytes on the wire; a compressed body may grow far beyond them, so what comes out of the
 * decoder is counted too. Plain bodies are returned untouched: no copy stands between a model and its stream.
 */
export function capDecodedBody(response: Response, maxBytes: number): Response {
  if (!response.body || !response.headers.has('content-encoding')) return response
  let seen = 0
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      seen += chunk.byteLength
      if (seen > maxBytes) controller.error(new Error('The response is larger than allowed.'))
      else controller.enqueue(chunk)
    },
  })
  return new Response(response.body.pipeThrough(cap), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  })
}
