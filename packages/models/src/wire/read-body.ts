import type { WireProtocol } from '../provider/provider.ts'
import { type BodyKind, bodyKind } from './body-start.ts'
import type { ChangedLines } from './sse-lines.ts'

export type ByteReader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>

/** The start of a body, and a reader for the rest. */
export interface StartedBody {
  kind: BodyKind
  /** In order; all of them when `reader` has ended. */
  chunks: Uint8Array<ArrayBuffer>[]
  reader: ByteReader
}

/** Reads a body until its first bytes reveal its kind. */
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

/** The whole text of a started body; null if it has more than `maxBytes`, in which case the rest is not read. */
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

/** The text of a started body, or its first `maxBytes` if it has more: the rest is not read. */
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

/**
 * A started body as a stream again, with its lines changed on the way if `lines` is given: one stream instead of two,
 * because each costs several promises per chunk.
 */
export function resumed(
  { chunks, reader }: StartedBody,
  lines: ChangedLines | null = null,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const held = [...chunks]
  return new ReadableStream(
    {
      async pull(controller) {
        for (;;) {
          const value = held.shift() ?? (await reader.read()).value
          if (value === undefined) {
            const rest = lines?.end() ?? null
            if (rest !== null) controller.enqueue(rest)
            controller.close()
            return
          }
          const out = lines === null ? value : lines.push(value)
          if (out === null) continue
          controller.enqueue(out)
          return
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
