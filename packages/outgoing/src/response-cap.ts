/**
 * The dispatcher limits the bytes on the wire, but a compressed body may expand far beyond them, so decoded
 * bytes are counted too. Uncompressed bodies are returned untouched, without a copy that would delay a
 * model's stream.
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
