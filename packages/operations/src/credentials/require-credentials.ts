import type { Scope } from '@troupe/agents/ports'
import { type AgentConfig, DomainError, type ProjectId } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import { mayUseCredential } from './may-use-credential.ts'

/** Every credential that an agent's tools name, with its path. */
function credentialsOf(config: AgentConfig): { id: string; path: string }[] {
  return config.tools.flatMap((tool, index) =>
    'auth_credential_id' in tool && tool.auth_credential_id
      ? [{ id: tool.auth_credential_id.toLowerCase(), path: `config.tools.${index}.auth_credential_id` }]
      : [],
  )
}

/**
 * Checks that every credential that the agent's tools name is visible to the caller, and belongs to the organization or
 * the agent's project; an organization-level agent may use any.
 *
 * @throws DomainError `credential_not_found`, listing every path
 */
export async function requireCredentials(
  read: Pick<Readers, 'credentials'>,
  scope: Scope,
  agent: { projectId: ProjectId | null; config: AgentConfig },
): Promise<void> {
  const references = credentialsOf(agent.config)
  if (references.length === 0) return
  const visible = await read.credentials.visible(scope)
  const usable = new Set<string>(
    visible.filter((one) => mayUseCredential(agent.projectId, one.projectId)).map(({ id }) => id),
  )
  const missing = references.filter(({ id }) => !usable.has(id))
  if (missing.length === 0) return
  throw new DomainError(
    'credential_not_found',
    'A tool names a credential that does not exist or is not visible here.',
    { errors: missing.map(({ path }) => ({ path, message: 'does not exist or is not visible here' })) },
  )
}
