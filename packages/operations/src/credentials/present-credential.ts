import type { Credential } from '@troupe/contract/builder'
import { type SecretBox, secretHint } from '@troupe/secrets'
import type { CredentialRow } from '@troupe/storage'
import { credentialPlace } from './stored-credentials.ts'

/** A credential as the builder shows it, without its secret. */
export function presentCredential(box: SecretBox, row: CredentialRow): Credential {
  const { id: credentialId, slug, name, projectId, projectName, kind, username, field, hosts } = row
  return {
    credentialId,
    slug,
    name,
    projectId,
    projectName,
    kind,
    username,
    field,
    hosts,
    hint: hintOf(box, row),
    secretSetAt: row.secretSetAt.toISOString(),
    usedBy: row.usedBy,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Empty for a secret that no key decrypts: a new secret can still be set. */
function hintOf(box: SecretBox, row: CredentialRow): string {
  const secret = openedSecret(box, row)
  return secret === null ? '' : secretHint(secret)
}

/** null if no key decrypts it. */
export function openedSecret(
  box: SecretBox,
  { id, sealedSecret }: Pick<CredentialRow, 'id' | 'sealedSecret'>,
): string | null {
  try {
    return box.open(sealedSecret, credentialPlace(id))
  } catch {
    return null
  }
}
