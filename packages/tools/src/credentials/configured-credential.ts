import { CredentialId, checkedId, type IdText } from '@troupe/contract'

/** The credential in a tool's configuration, which its schema has checked; null without one. */
export function configuredCredential(config: {
  auth_credential_id?: IdText<CredentialId> | null
}): CredentialId | null {
  return config.auth_credential_id ? checkedId(CredentialId, config.auth_credential_id) : null
}
