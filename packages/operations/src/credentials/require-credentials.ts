import type { Scope } from '@troupe/agents/ports'
import { DomainError, type ProjectId } from '@troupe/contract'
import type { CredentialRecord, Readers } from '@troupe/storage'
import type { CredentialReference } from './credential-references.ts'
import { mayUseCredential } from './may-use-credential.ts'

/**
 * Checks that every credential that an agent or team names is visible to the caller, and belongs to the organization or
 * the owner's project; an organization-level owner may use any. A credential that could never be sent is also refused.
 *
 * @throws DomainError `credential_not_found` or `validation_error`, listing every path
 */
export async function requireCredentials(
  read: Pick<Readers, 'credentials'>,
  scope: Scope,
  { projectId, references }: { projectId: ProjectId | null; references: readonly CredentialReference[] },
): Promise<void> {
  if (references.length === 0) return
  const visible = await read.credentials.visible(scope)
  const usable = new Map<string, CredentialRecord>(
    visible.filter((one) => mayUseCredential(projectId, one.projectId)).map((one) => [one.id, one]),
  )
  const missing = references.filter(({ id }) => !usable.has(id))
  if (missing.length > 0) {
    throw new DomainError(
      'credential_not_found',
      'The configuration names a credential that does not exist or is not visible here.',
      { errors: missing.map(({ path }) => ({ path, message: 'does not exist or is not visible here' })) },
    )
  }
  const errors = references.flatMap(({ id, path, faultOf }) => {
    const credential = usable.get(id)
    const message = credential ? faultOf(credential) : null
    return message === null ? [] : [{ path, message }]
  })
  if (errors.length === 0) return
  throw new DomainError(
    'validation_error',
    "The configuration uses a credential that does not cover the request's host.",
    {
      errors,
    },
  )
}
