import { createHmac, hkdfSync } from 'node:crypto'
import type { IdText, OrganizationId } from '@troupe/contract'
import type { EncryptionKey } from '@troupe/secrets'

/**
 * The secret that signs the requests of `webhook` guardrails, one for each organization and URL, derived from the current
 * encryption key. Rotating that key changes it. `troupe guardrail-secret` prints it.
 */
export function guardrailSecret(
  [{ key }]: readonly [EncryptionKey, ...EncryptionKey[]],
  { organizationId, url }: { organizationId: IdText<OrganizationId>; url: string },
): string {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'troupe/guardrail-webhooks', 32))
  return `whs_${createHmac('sha256', derived).update(`${organizationId.toLowerCase()}\n${url}`).digest('hex')}`
}
