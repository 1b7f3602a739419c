import { type Duplex, pipeline, Readable } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'

/** As `fetch` has it: a longer chain of encodings is an attack. */
const MAX_ENCODINGS = 5
/** Lenient with truncated streams, as browsers are. */
const LENIENT = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
const LENIENT_BROTLI = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
}

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip(LENIENT),
  'x-gzip': () => createGunzip(LENIENT),
  deflate: () => createInflate(LENIENT),
  br: () => createBrotliDecompress(LENIENT_BROTLI),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
}

/**
 * A body without its content encodings; unchanged when it has none, or one that is not known.
 *
 * @throws Error for more than five encodings
 */
export function decodedBody(
  body: ReadableStream<Uint8Array>,
  contentEncoding: string | null,
): ReadableStream<Uint8Array> {
  if (contentEncoding === null) return body
  const names = contentEncoding.split(',').map((name) => name.trim().toLowerCase())
  if (names.length > MAX_ENCODINGS) throw new Error('too many content encodings')
  const makers = names.toReversed().map((name) => DECODERS[name])
  const decoders = makers.flatMap((make) => (make ? [make()] : []))
  if (decoders.length < makers.length) return body
  let decoded: Readable = Readable.from(body)
  for (const decoder of decoders) decoded = pipeline(decoded, decoder, () => {})
  return ReadableStream.from(decoded)
}
