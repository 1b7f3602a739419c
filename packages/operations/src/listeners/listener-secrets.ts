import { hash } from 'node:crypto'
import type { SecretBox } from '@troupe/secrets'
import type { ListenerRecord } from '@troupe/storage'

/** The stored lookup key of a token: SHA-256, hex. A token has 256 random bits, so it needs no salt. */
export function hashListenerToken(token: string): string {
  return hash('sha256', token, 'hex')
}

const tokenPlace = (id: string) => ({ purpose: 'listener.token', id }) as const
const secretPlace = (id: string) => ({ purpose: 'listener.secret', id }) as const

/** The token and the secret of a listener in their stored form. */
export function sealListener(
  box: SecretBox,
  id: string,
  { token, secret }: { token: string; secret: string },
): Pick<ListenerRecord, 'tokenSealed' | 'secretSealed'> & { tokenHash: string } {
  return {
    tokenHash: hashListenerToken(token),
    tokenSealed: box.seal(token, tokenPlace(id)),
    secretSealed: box.seal(secret, secretPlace(id)),
  }
}

/** @throws Error when the key is missing; its text holds no secret */
export function openListenerToken(box: SecretBox, { id, tokenSealed }: ListenerRecord): string {
  return box.open(tokenSealed, tokenPlace(id))
}

/** The secret that applies while the workflow has none of its own. @throws Error as {@link openListenerToken} */
export function openListenerSecret(box: SecretBox, { id, secretSealed }: ListenerRecord): string {
  return box.open(secretSealed, secretPlace(id))
}
