import type { WebhookSecrets } from '@troupe/storage'

/** How long a replaced secret is accepted, so that senders can switch without downtime. */
const GRACE_MS = 24 * 60 * 60_000

/**
 * The secrets after activating another signing secret.
 *
 * @param now milliseconds since the epoch
 */
export function withPreviousSecret(
  { signingSecretSealed: replaced }: Pick<WebhookSecrets, 'signingSecretSealed'>,
  signingSecretSealed: string,
  now: number,
): Pick<WebhookSecrets, 'signingSecretSealed' | 'previousSecretSealed' | 'previousSecretUntil'> {
  return {
    signingSecretSealed,
    previousSecretSealed: replaced,
    previousSecretUntil: new Date(now + GRACE_MS),
  }
}
