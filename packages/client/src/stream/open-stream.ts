import { readRefusal } from '../call/answer.ts'
import type { CallOptions } from '../call/options.ts'
import type { OutgoingRequest } from '../call/request.ts'
import type { Failure } from '../call/result.ts'
import type { Answered, Transport } from '../call/transport.ts'

/** An event stream response, before its first event. */
export interface OpenStream extends Answered {
  body: ReadableStream<Uint8Array>
}

/** Sends a request that expects an event stream; any other response is a failure. */
export async function openStream(
  transport: Transport,
  request: OutgoingRequest,
  options: CallOptions,
): Promise<OpenStream | Failure> {
  const answered = await transport(request, options)
  if (!answered.ok) return answered
  const { response } = answered
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (!response.ok || !isStream || response.body === null) return readRefusal(request.operation, answered)
  return { ...answered, body: response.body }
}
