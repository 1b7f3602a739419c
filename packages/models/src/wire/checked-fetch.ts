import { APICallError } from '@ai-sdk/provider'
import { isJsonObject, JSON_BUDGET, type ProviderId, parseJson, propertyOf } from '@troupe/contract'
import type { WireProtocol } from '../provider/provider.ts'
import { withAcceptedFields } from './accepted-fields.ts'
import { mendsChunks } from './chat-chunks.ts'
import { addsFinishReason, type ServerHabits } from './chat-finish.ts'
import type { CheckedFetch } from './connection.ts'
import { isError, isWholeAnswer, statusOfError } from './json-answer.ts'
import { leavesUnknownEvents } from './messages-events.ts'
import { resumed, type StartedBody, startedBody, textOf } from './read-body.ts'
import { mendsResponses } from './responses-events.ts'
import { ChangedLines, type ChangeLine } from './sse-lines.ts'
import { CutBody, UnexpectedBody } from './unexpected-body.ts'
import { addNote, type WireCall, wireCalls } from './wire-call.ts'

/** Maximum bytes of a complete answer in JSON: more than any current model outputs. */
const MAX_JSON = 8 * 1024 * 1024
/** Maximum bytes of a response to be searched for an error, if no stream was requested. */
const MAX_PLAIN_ERROR = 16 * 1024

/**
 * A `fetch` whose responses have the requested kind. An error with status 200 gets the status it should have, an HTML
 * page is a failure, and a complete answer to a request for a stream is kept for {@link WireCall.replay}.
 */
export function checkedFetch(parts: CheckedFetch): typeof globalThis.fetch {
  const { protocol, mayLackFinishReason } = parts
  const send = withAcceptedFields(parts)
  const habits: ServerHabits = { sendsFinishReason: !mayLackFinishReason }
  return async (input, init) => {
    const call = wireCalls.getStore()
    if (call?.replay) {
      const { replay } = call
      call.replay = null
      return replay
    }
    const response = call === undefined ? await parts.fetch(input, init) : await send(call, input, init)
    if (!response.ok || response.body === null) return response
    if (call === undefined || protocol === null) return checkedJson(response, response.body)
    const body = await startedBody(response.body, protocol)
    if (body.kind === 'other') throw await unexpected(response, body)
    if (body.kind === 'json') return readJson(response, body, { call, protocol })
    const changed = (change: ChangeLine) => again(response, resumed(body, new ChangedLines(change)))
    const change = changeOf(protocol, parts.providerId)
    if (change !== null) return changed(change)
    if (protocol !== 'chat') return again(response, resumed(body))
    const mend = mendsChunks()
    if (habits.sendsFinishReason) return changed(mend)
    const finish = addsFinishReason(habits, () => {
      addNote(
        call,
        'The server sent no finish reason; the text was accepted as complete because it ended with [DONE].',
      )
    })
    return changed((line) => finish(mend(line)))
  }
}

/**
 * How the lines of a stream are changed before a package reads them; null if they are not, and for the chat protocol.
 */
function changeOf(protocol: WireProtocol, providerId: ProviderId): ChangeLine | null {
  if (protocol === 'messages') return leavesUnknownEvents()
  return protocol === 'responses' ? mendsResponses(providerId) : null
}

function again(
  response: Response,
  body: string | ReadableStream<Uint8Array<ArrayBuffer>>,
  status = response.status,
): Response {
  const headers = new Headers(response.headers)
  // These headers described the original body.
  headers.delete('content-length')
  headers.delete('content-encoding')
  return new Response(body, { status, headers })
}

async function unexpected(response: Response, body: StartedBody): Promise<UnexpectedBody> {
  const start = new TextDecoder().decode(Buffer.concat(body.chunks))
  void body.reader.cancel().catch(() => {})
  return new UnexpectedBody(response.headers.get('content-type') ?? '', start)
}

/** The response to a request for JSON. */
async function checkedJson(response: Response, stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const body = await startedBody(stream, 'json')
  if (body.kind === 'other') throw await unexpected(response, body)
  const held: StartedBody = { ...body, chunks: [] }
  let size = 0
  for (const chunk of body.chunks) {
    held.chunks.push(chunk)
    size += chunk.length
  }
  while (size <= MAX_PLAIN_ERROR) {
    const { done, value } = await body.reader.read()
    if (done) {
      const text = new TextDecoder().decode(Buffer.concat(held.chunks))
      const parsed = parseJson(text)
      const isFailure = parsed.ok && isJsonObject(parsed.value) && propertyOf(parsed.value, 'error') != null
      return isFailure ? failed(response, text, parsed.value) : again(response, text)
    }
    held.chunks.push(value)
    size += value.length
  }
  return again(response, resumed(held))
}

/**
 * A JSON body instead of the requested stream: an error, a complete answer, or the list of events that Gemini sends
 * without `alt=sse`.
 */
async function readJson(
  response: Response,
  body: StartedBody,
  { call, protocol }: { call: WireCall; protocol: WireProtocol },
): Promise<Response> {
  const text = await textOf(body, MAX_JSON)
  const contentType = response.headers.get('content-type') ?? ''
  if (text === null) throw new UnexpectedBody(contentType, `more than ${MAX_JSON} bytes of JSON`)
  const parsed = parseJson(text, { ...JSON_BUDGET, characters: MAX_JSON })
  if (!parsed.ok) throw new CutBody('the JSON of the answer is not whole')
  const { value } = parsed
  if (Array.isArray(value) && protocol === 'gemini') {
    addNote(call, 'The server sent a list of events instead of a stream.')
    return again(response, value.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
  }
  if (isWholeAnswer(value, protocol)) {
    addNote(call, 'The server sent the whole answer at once instead of a stream.')
    call.replay = again(response, withReason(protocol, value, text))
    throw new WholeAnswer()
  }
  if (isError(value)) return failed(response, text, value)
  throw new UnexpectedBody(contentType, text)
}

/** Thrown by a request for a stream that got a complete answer. */
class WholeAnswer extends Error {
  override readonly name = 'WholeAnswer'
}

/** A whole answer with its finish reason, if its protocol lets servers leave that out. */
function withReason(protocol: WireProtocol, value: unknown, text: string): string {
  if (protocol === 'chat') return withFinishReason(value, text)
  const isCut =
    protocol === 'responses' && !['completed', undefined].includes(propertyOf(value, 'status') as string)
  const reason = propertyOf(propertyOf(value, 'incomplete_details'), 'reason')
  if (!isCut || typeof reason === 'string') return text
  return JSON.stringify({ ...(value as object), incomplete_details: { reason: 'unknown' } })
}

/** A complete JSON body means that a text without a finish reason is complete, too. */
function withFinishReason(value: unknown, text: string): string {
  const [choice] = propertyOf(value, 'choices') as unknown[]
  const message = propertyOf(choice, 'message')
  if (!isJsonObject(choice) || choice.finish_reason != null || propertyOf(message, 'tool_calls') != null) {
    return text
  }
  return JSON.stringify({ ...(value as object), choices: [{ ...choice, finish_reason: 'stop' }] })
}

/** An error body with the status that it should have had. Throws if nothing in it reveals the status. */
function failed(response: Response, text: string, body: unknown): Response {
  const status = statusOfError(body)
  if (status !== null) return again(response, text, status)
  throw new APICallError({
    message: 'The provider answered with an error and status 200.',
    url: response.url,
    requestBodyValues: {},
    responseHeaders: Object.fromEntries(response.headers),
    responseBody: text,
    isRetryable: false,
    data: body,
  })
}
