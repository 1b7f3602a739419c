import type { WireProtocol } from '../provider/provider.ts'
import { type BodyKind, bodyKind } from './body-start.ts'

export type ByteReader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>

/** The beginning of a body, and its reader for the rest. */
export interface StartedBody {
  kind: BodyKind
  /** In order; all of them when `reader` has ended. */
  chunks: Uint8Array<ArrayBuffer>[]
  reader: ByteReader
}

/** Reads a body until its first bytes tell what it is. */
export async function startedBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  protocol: WireProtocol | 'json',
): Promise<StartedBody> {
  const reader = body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (value !== undefined) chunks.push(value)
    const start = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
    const kind = bodyKind(start, protocol, done)
    if (kind !== null) return { kind, chunks, reader }
  }
}

/** The whole text of a started body; null when it has more than `maxBytes`, of which the rest is not read. */
export async function textOf({ chunks, reader }: StartedBody, maxBytes: number): Promise<string | null> {
  const all = [...chunks]
  let size = all.reduce((sum, chunk) => sum + chunk.length, 0)
  for (;;) {
    if (size > maxBytes) {
      void reader.cancel().catch(() => {})
      return null
    }
    const { done, value } = await reader.read()
    if (done) return new TextDecoder().decode(Buffer.concat(all))
    all.push(value)
    size += value.length
  }
}

/** The text of a started body, or its first `maxBytes` when it has more: the rest is not read. */
export async function startOf({ chunks, reader }: StartedBody, maxBytes: number): Promise<string> {
  const all = [...chunks]
  let size = all.reduce((sum, chunk) => sum + chunk.length, 0)
  while (size < maxBytes) {
    const { done, value } = await reader.read()
    if (done) break
    all.push(value)
    size += value.length
  }
  if (size >= maxBytes) void reader.cancel().catch(() => {})
  return new TextDecoder().decode(Buffer.concat(all).subarray(0, maxBytes))
}

/** A started body as a stream again. */
export function resumed({ chunks, reader }: StartedBody): ReadableStream<Uint8Array<ArrayBuffer>> {
  const held = [...chunks]
  return new ReadableStream(
    {
      async pull(controller) {
        const first = held.shift()
        if (first !== undefined) return controller.enqueue(first)
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
