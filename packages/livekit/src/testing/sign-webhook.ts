import { createHash } from 'node:crypto'
import { AccessToken } from 'livekit-server-sdk'
import type { WireObject } from './double-wire.ts'

/** A webhook in LiveKit's format: the body, and a token that carries the hash of its bytes. */
export async function signWebhook(
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
  event: WireObject,
): Promise<{ rawBody: string; authorization: string }> {
  const rawBody = JSON.stringify(event)
  const token = new AccessToken(apiKey, apiSecret, { ttl: 300 })
  token.sha256 = createHash('sha256').update(rawBody).digest('base64')
  return { rawBody, authorization: await token.toJwt() }
}
