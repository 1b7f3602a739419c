import type { WebhookSecrets } from '@troupe/database'

/** How long a replaced secret is accepted, so that senders can change it without a gap. */
const GRACE_MS = 24 * 60 * 60_000

/**
 * The secrets with another signing secret in force.
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
