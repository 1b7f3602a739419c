import type { IdText, VoiceSessionId } from '../../schema/ids.ts'
import { propertyOf } from '../../schema/json-object.ts'
import { type InternalEndpoint, SESSION_TOKEN_HEADER } from '../endpoint/internal-endpoint.ts'
import { VoiceServerError } from './voice-server-error.ts'

/** How to reach the server. */
export interface VoiceServerAddress {
  /** The internal listener: `http://127.0.0.1:7081`. */
  url: string
  /** `VOICE_INTERNAL_TOKEN`. */
  token: string
  /** The system's `fetch` when absent. */
  fetch?: typeof fetch
}

/** One request besides its endpoint. */
export interface VoiceRequest {
  sessionId?: IdText<VoiceSessionId>
  sessionToken?: string
  body?: unknown
  signal?: AbortSignal
}

/**
 * Sends a request. The body of the response is not read yet.
 *
 * @throws VoiceServerError, or the reason of `signal` unless it is a timeout.
 */
export async function sendVoiceRequest(
  address: VoiceServerAddress,
  endpoint: InternalEndpoint,
  { sessionId, sessionToken, body, signal }: VoiceRequest,
): Promise<Response> {
  const url = new URL(endpoint.path.replace('{sessionId}', encodeURIComponent(sessionId ?? '')), address.url)
  const response = await (address.fetch ?? fetch)(url, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${address.token}`,
      accept: endpoint.success.type ?? 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(sessionToken !== undefined && { [SESSION_TOKEN_HEADER]: sessionToken }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    // A hanging server may answer the next attempt, like an unreachable one.
    if (!isTimeout(signal?.reason)) signal?.throwIfAborted()
    throw new VoiceServerError(null, 'network_error', 'The server could not be reached.', { cause: error })
  })
  if (response.status !== endpoint.success.status) throw await refusal(response)
  return response
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

async function refusal(response: Response): Promise<VoiceServerError> {
  const answer: unknown = await response.json().catch(() => null)
  const code = propertyOf(answer, 'error')
  const message = propertyOf(answer, 'message')
  return new VoiceServerError(
    response.status,
    typeof code === 'string' ? code : `http_${response.status}`,
    typeof message === 'string' ? message : `The server answered ${response.status}.`,
  )
}
