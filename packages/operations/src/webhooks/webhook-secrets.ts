import { hash, randomBytes } from 'node:crypto'
import type { WorkflowId } from '@troupe/contract'
import type { SecretBox } from '@troupe/secrets'
import type { WebhookSecrets } from '@troupe/storage'

/**
 * The stored lookup key of a token: SHA-256, hex. A minted token has 256 random bits, so it needs no salt.
 */
export function hashWebhookToken(token: string): string {
  return hash('sha256', token, 'hex')
}

/** A new signing secret: `whs_` and 256 random bits in hex, used as displayed. */
export function mintSigningSecret(): string {
  return `whs_${randomBytes(32).toString('hex')}`
}

const tokenPlace = (id: WorkflowId) => ({ purpose: 'workflow.webhook_token', id }) as const
const secretPlace = (id: WorkflowId) => ({ purpose: 'workflow.signing_secret', id }) as const

/** A token in its stored form. */
export function sealToken(
  box: SecretBox,
  id: WorkflowId,
  token: string,
): Pick<WebhookSecrets, 'tokenHash' | 'tokenSealed'> {
  return { tokenHash: hashWebhookToken(token), tokenSealed: box.seal(token, tokenPlace(id)) }
}

export function sealSigningSecret(box: SecretBox, id: WorkflowId, secret: string): string {
  return box.seal(secret, secretPlace(id))
}

/** The secrets of a webhook in clear text. */
export interface OpenWebhookSecrets {
  token: string
  signingSecret: string
  /** The secret before the last rotation, while it is still accepted. */
  previous: { secret: string; until: Date } | null
}

/**
 * @param now milliseconds since the epoch
 * @throws Error when a key is missing; its text holds no secret
 */
export function openWebhookSecrets(
  box: SecretBox,
  id: WorkflowId,
  secrets: WebhookSecrets,
  now: number,
): OpenWebhookSecrets {
  const { previousSecretSealed: previous, previousSecretUntil: until } = secrets
  return {
    token: box.open(secrets.tokenSealed, tokenPlace(id)),
    signingSecret: box.open(secrets.signingSecretSealed, secretPlace(id)),
    previous:
      previous !== null && until !== null && until.getTime() > now
        ? { secret: box.open(previous, secretPlace(id)), until }
        : null,
  }
}
