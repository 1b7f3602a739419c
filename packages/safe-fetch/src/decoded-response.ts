import { type Duplex, pipeline, Readable, Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'

/** The limit of `fetch`: a longer chain of encodings is an attack. */
const MAX_ENCODINGS = 5
/** Lenient with truncated streams, as browsers are. */
const LENIENT = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
const LENIENT_BROTLI = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
}

const DECODERS: Readonly<Record<string, (() => Duplex) | undefined>> = {
  gzip: () => createGunzip(LENIENT),
  'x-gzip': () => createGunzip(LENIENT),
  deflate: () => createInflate(LENIENT),
  br: () => createBrotliDecompress(LENIENT_BROTLI),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
}

/**
 * A response with its content encodings decoded; unchanged without a body, without encodings, or with an unknown one. Every encoding may
 * expand to `maxBytes`, so that a nested encoding cannot hide its expansion.
 *
 * @throws TypeError, as `fetch` does, for more than five encodings
 */
export function decodedResponse(response: Response, maxBytes: number): Response {
  const { body, status, statusText, headers } = response
  const encodings = headers.get('content-encoding')
  if (!body || encodings === null) return response
  const names = encodings.split(',').map((name) => name.trim().toLowerCase())
  if (names.length > MAX_ENCODINGS) {
    void body.cancel()
    throw new TypeError('fetch failed', { cause: new Error('too many content encodings') })
  }
  const stages: Duplex[] = []
  for (const name of names.toReversed()) {
    const decoder = DECODERS[name]
    if (!decoder) return response
    stages.push(decoder(), capped(maxBytes))
  }
  let decoded: Readable = Readable.from(body)
  for (const stage of stages) decoded = pipeline(decoded, stage, () => {})
  return new Response(startedStream(decoded), { status, statusText, headers })
}

/** Fails once more bytes than allowed have passed. */
function capped(maxBytes: number): Transform {
  let seen = 0
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      seen += chunk.byteLength
      if (seen > maxBytes) done(new Error('The response is larger than allowed.'))
      else done(null, chunk)
    },
  })
}

/** Unlike `ReadableStream.from`, which destroys its source only after a first read, ends the source with every cancel. */
function startedStream(source: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void source.destroy(),
    },
    { highWaterMark: 0 },
  )
}
