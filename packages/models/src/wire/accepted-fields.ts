import { isJsonObject } from '@troupe/contract'
import type { CheckedFetch } from './connection.ts'
import { startedBody, startOf } from './read-body.ts'
import { RefusedFields } from './refused-fields.ts'
import { type RequestField, refusedField, withHonestStrictness, withoutFields } from './request-fields.ts'
import { addNote, type WireCall } from './wire-call.ts'

type Input = Parameters<typeof globalThis.fetch>[0]
type Init = Parameters<typeof globalThis.fetch>[1]

/** Maximum bytes read of an error. */
const MAX_ERROR = 64 * 1024
/** Statuses of a request with a field that the server does not know. */
const REFUSED = new Set([400, 422])
/** Maximum repeated requests of one call: one for each field that a server may refuse. */
const MAX_REPEATS = 2

/**
 * Sends requests of the chat and responses protocols without the fields that the configuration disables and those that
 * the model has refused before. If a field is refused, the request is sent again without it.
 */
export function withAcceptedFields({ fetch, protocol, leftOut, clock }: CheckedFetch) {
  const refused = new RefusedFields(clock)
  const isOpenai = protocol === 'chat' || protocol === 'responses'
  return async (call: WireCall, input: Input, init: Init): Promise<Response> => {
    const text = init?.body
    const isEditable = isOpenai && typeof text === 'string'
    // Most requests have none of these fields.
    const known = isEditable ? [...leftOut, ...refused.of(modelOf(text))] : []
    let body = isEditable && (known.length > 0 || text.includes('"strict":true')) ? parsed(text) : null
    let sent = text
    if (body !== null) {
      body = withHonestStrictness(withoutFields(body, known))
      sent = JSON.stringify(body)
    }
    for (let repeat = 0; ; repeat += 1) {
      const response = await fetch(input, sent === text ? init : { ...init, body: sent ?? null })
      if (!isEditable || !REFUSED.has(response.status) || response.body === null || repeat >= MAX_REPEATS) {
        return response
      }
      const error = await startOf(await startedBody(response.body, 'json'), MAX_ERROR)
      body ??= parsed(text)
      const field: RequestField | null = body && refusedField(error, body)
      if (body === null || field === null) return same(response, error)
      refused.add(modelOf(text), field)
      addNote(call, `The server refused \`${field}\`; the request was sent again without it.`)
      body = withoutFields(body, [field])
      sent = JSON.stringify(body)
    }
  }
}

function same(response: Response, text: string): Response {
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  headers.delete('content-encoding')
  return new Response(text, { status: response.status, statusText: response.statusText, headers })
}

function parsed(text: string): Record<string, unknown> | null {
  const body: unknown = JSON.parse(text)
  return isJsonObject(body) ? body : null
}

/** The packages write the model first, or almost first. */
function modelOf(text: string): string {
  const [, name = ''] = /"model":"((?:[^"\\]|\\.){0,300})"/.exec(text.slice(0, 2_000)) ?? []
  return name
}
