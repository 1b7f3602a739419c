import { crc32 } from 'node:zlib'

/** The encoding of the events of a stream: `named` has an `event:` line with each event's type. */
export type Framing = 'data' | 'named' | 'event-stream'

/** Each event as the bytes that a provider sends for it, in order. */
export function framed(framing: Framing, events: readonly unknown[], done: boolean): Uint8Array[] {
  const frames = events.map((event) => frameOf(framing, event))
  if (done) frames.push(Buffer.from('data: [DONE]\n\n'))
  return frames
}

function frameOf(framing: Framing, event: unknown): Uint8Array {
  if (framing === 'event-stream') return eventStreamMessage(event)
  const name = framing === 'named' ? `event: ${(event as { type: string }).type}\n` : ''
  return Buffer.from(`${name}data: ${JSON.stringify(event)}\n\n`)
}

/**
 * A message of Amazon's binary event stream: `{name: payload}` with its name in the header `:event-type`. Names that
 * end with `Exception` are sent as exceptions. Layout: Amazon Transcribe's "Event stream encoding",
 * https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html
 */
function eventStreamMessage(event: unknown): Uint8Array {
  const [[name, payload] = ['', {}]] = Object.entries(event as Record<string, unknown>)
  const isException = name.endsWith('Exception')
  const headers = Buffer.concat([
    header(':message-type', isException ? 'exception' : 'event'),
    header(isException ? ':exception-type' : ':event-type', name),
    header(':content-type', 'application/json'),
  ])
  const body = Buffer.from(JSON.stringify(payload))
  const message = Buffer.alloc(16 + headers.length + body.length)
  message.writeUInt32BE(message.length, 0)
  message.writeUInt32BE(headers.length, 4)
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8)
  headers.copy(message, 12)
  body.copy(message, 12 + headers.length)
  message.writeUInt32BE(crc32(message.subarray(0, message.length - 4)), message.length - 4)
  return message
}

const STRING_TYPE = 7

function header(name: string, value: string): Uint8Array {
  const bytes = Buffer.alloc(4 + name.length + value.length)
  bytes.writeUInt8(name.length, 0)
  bytes.write(name, 1)
  bytes.writeUInt8(STRING_TYPE, 1 + name.length)
  bytes.writeUInt16BE(value.length, 2 + name.length)
  bytes.write(value, 4 + name.length)
  return bytes
}
