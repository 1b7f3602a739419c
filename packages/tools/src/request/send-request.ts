import type { ToolCall, ToolOutcome } from '@troupe/agents/ports'
import { attachCredential, secretTexts } from '../credentials/attach-credential.ts'
import type { ToolCredential } from '../credentials/credential-source.ts'
import { textHider } from '../credentials/text-hider.ts'
import { isTextual, mediaType, readBodyText } from './read-body-text.ts'
import type { ToolRequest } from './tool-request.ts'

/** Maximum bytes of an error response that the model sees. */
const ERROR_BODY_BYTES = 2 * 1024

/** Options of sending a request. */
export interface SendOptions {
  fetch: typeof globalThis.fetch
  credential: ToolCredential | null
  maxBytes: number
  /** Prepares a successful response for the model. Its media type is in lower case. */
  present?(text: string, mediaType: string): Promise<string>
}

function failed(code: 'failed' | 'unavailable', message: string): ToolOutcome {
  return { ok: false, code, message }
}

/** The codes with which the guarded fetch refuses a request; they are in the chain of causes. */
function hasCode(error: unknown, code: string): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if ('code' in at && at.code === code) return true
  return false
}

/** The message of a refusal is written for tenants, and names no address and no host. */
function refusalOf(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && at.code === 'ADDRESS_NOT_ALLOWED') return at.message
  }
  return null
}

function unreachable(error: unknown): ToolOutcome {
  const refusal = refusalOf(error)
  if (refusal !== null) return failed('failed', refusal)
  if (hasCode(error, 'UND_ERR_INVALID_ARG')) return failed('failed', 'The request could not be sent.')
  return failed('unavailable', 'The server could not be reached.')
}

async function outcomeOf(
  response: Response,
  { maxBytes, credential, present }: SendOptions,
): Promise<ToolOutcome> {
  const { status } = response
  const isError = status >= 400
  const type = mediaType(response)
  if (!isTextual(type)) {
    await response.body?.cancel()
    if (!isError) return failed('failed', `The answer is ${type.slice(0, 80)}, which is not text.`)
    return { ok: false, code: `http_${status}`, message: `The server answered with status ${status}.` }
  }
  const { text: read, cut } = await readBodyText(response, isError ? ERROR_BODY_BYTES : maxBytes)
  const text = credential === null ? read : textHider(secretTexts(credential))(read, cut)
  if (isError) {
    const message = `The server answered with status ${status}.`
    return { ok: false, code: `http_${status}`, message, ...(text === '' ? {} : { body: text }) }
  }
  const shown = present ? await present(text, type) : text
  if (cut) {
    const note = `[The answer is longer than ${Math.floor(maxBytes / 1024)} KB; the rest was not read.]`
    return { ok: true, text: `${shown}\n${note}` }
  }
  return {
    ok: true,
    text: shown === '' ? `The server answered with status ${status} and no content.` : shown,
  }
}

async function exchange(
  { method, url, headers, body }: ToolRequest,
  call: ToolCall,
  options: SendOptions,
): Promise<ToolOutcome> {
  let response: Response
  try {
    response = await options.fetch(url, {
      method,
      headers,
      signal: call.signal,
      credentials: options.credential === null ? 'omit' : 'include',
      // If a redirect keeps the method, a body that is not text is never sent on.
      ...(body === null ? {} : { body: new Blob([body]) }),
    })
  } catch (error) {
    call.signal.throwIfAborted()
    return unreachable(error)
  }
  try {
    return await outcomeOf(response, options)
  } catch {
    call.signal.throwIfAborted()
    return failed('failed', 'The answer of the server broke off or could not be read.')
  }
}

/**
 * Sends a request with its credential and returns the response as the model reads it, with the credential hidden. Never
 * throws, except for the reason of the call's signal.
 */
export async function sendRequest(
  request: ToolRequest,
  call: ToolCall,
  options: SendOptions,
): Promise<ToolOutcome> {
  const { credential } = options
  if (credential !== null && !attachCredential(credential, request.url, request.headers)) {
    return failed('failed', `The credential ${credential.name} does not cover the host of this request.`)
  }
  return exchange(request, call, options)
}
