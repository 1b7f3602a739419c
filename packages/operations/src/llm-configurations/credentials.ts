import type { SecretBox } from '@troupe/secrets'
import type { LlmConfigurationRecord } from '@troupe/storage'

const PURPOSE = 'llm_configuration.credentials'

/** Credentials in their stored form; null if there are none. */
export function sealCredentials(
  box: SecretBox,
  id: string,
  credentials: Readonly<Record<string, string>>,
): string | null {
  if (Object.keys(credentials).length === 0) return null
  return box.seal(JSON.stringify(credentials), { purpose: PURPOSE, id })
}

/** The credentials of a stored configuration, or null when no available key decrypts them. */
export function openCredentials(
  box: SecretBox,
  { id, sealedCredentials }: Pick<LlmConfigurationRecord, 'id' | 'sealedCredentials'>,
): Record<string, string> | null {
  if (sealedCredentials === null) return {}
  try {
    return JSON.parse(box.open(sealedCredentials, { purpose: PURPOSE, id }))
  } catch {
    return null
  }
}
