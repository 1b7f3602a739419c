import type { Static, TSchema } from 'typebox'
import type { InternalEndpoint } from '../endpoint/internal-endpoint.ts'
import { sendVoiceRequest, type VoiceRequest, type VoiceServerAddress } from './send-request.ts'

/** Longer than any response takes, except streams. */
const REQUEST_MS = 5_000

/** Sends a request and returns its response, one JSON object. @throws VoiceServerError */
export async function requestObject<const E extends InternalEndpoint & { success: { body: TSchema } }>(
  address: VoiceServerAddress,
  endpoint: E,
  request: VoiceRequest,
): Promise<Static<E['success']['body']>> {
  const response = await sendVoiceRequest(address, endpoint, {
    signal: AbortSignal.timeout(REQUEST_MS),
    ...request,
  })
  return (await response.json()) as Static<E['success']['body']>
}

/** Sends a request without a response body. @throws VoiceServerError */
export async function requestNothing(
  address: VoiceServerAddress,
  endpoint: InternalEndpoint,
  request: VoiceRequest,
): Promise<void> {
  const response = await sendVoiceRequest(address, endpoint, {
    signal: AbortSignal.timeout(REQUEST_MS),
    ...request,
  })
  await response.body?.cancel()
}
