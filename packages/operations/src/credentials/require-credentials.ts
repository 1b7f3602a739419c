import type { Scope } from '@troupe/agents/ports'
import { type AgentConfig, DomainError, type ProjectId } from '@troupe/contract'
import type { CredentialRecord, Readers } from '@troupe/database'
import { unsendable } from './credential-hosts.ts'
import { mayUseCredential } from './may-use-credential.ts'

/** Every credential that an agent's tools name, with its tool and path. */
function credentialsOf(config: AgentConfig) {
  return config.tools.flatMap((tool, index) =>
    'auth_credential_id' in tool && tool.auth_credential_id
      ? [
          {
            tool,
            id: tool.auth_credential_id.toLowerCase(),
            path: `config.tools.${index}.auth_credential_id`,
          },
        ]
      : [],
  )
}

/**
 * Checks that every credential that the agent's tools name is visible to the caller, and belongs to the organization or
 * the agent's project; an organization-level agent may use any. One that its tool could never send is refused, too.
 *
 * @throws DomainError `credential_not_found` or `validation_error`, listing every path
 */
export async function requireCredentials(
  read: Pick<Readers, 'credentials'>,
  scope: Scope,
  agent: { projectId: ProjectId | null; config: AgentConfig },
): Promise<void> {
  const references = credentialsOf(agent.config)
  if (references.length === 0) return
  const visible = await read.credentials.visible(scope)
  const usable = new Map<string, CredentialRecord>(
    visible.filter((one) => mayUseCredential(agent.projectId, one.projectId)).map((one) => [one.id, one]),
  )
  const missing = references.filter(({ id }) => !usable.has(id))
  if (missing.length > 0) {
    throw new DomainError(
      'credential_not_found',
      'A tool names a credential that does not exist or is not visible here.',
      { errors: missing.map(({ path }) => ({ path, message: 'does not exist or is not visible here' })) },
    )
  }
  const errors = references.flatMap(({ tool, id, path }) => {
    const credential = usable.get(id)
    const message = credential ? unsendable(tool, credential) : null
    return message === null ? [] : [{ path, message }]
  })
  if (errors.length === 0) return
  throw new DomainError('validation_error', 'A tool names a credential that it could never send.', { errors })
}
