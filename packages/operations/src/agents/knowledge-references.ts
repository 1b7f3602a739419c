import type { Scope } from '@troupe/agents/ports'
import { type AgentConfig, checkedId, DomainError, KnowledgeBaseId, type ProjectId } from '@troupe/contract'
import type { Readers } from '@troupe/storage'

/**
 * Checks that every knowledge base of an agent exists, and belongs to the organization or the agent's project; an
 * organization-level agent may use any that is visible to the caller.
 *
 * @throws DomainError `validation_error`, listing every path
 */
export async function requireKnowledgeBases(
  { knowledge }: Pick<Readers, 'knowledge'>,
  scope: Scope,
  agent: { projectId: ProjectId | null; config: AgentConfig },
): Promise<void> {
  const ids = agent.config.knowledge.base_ids
  if (ids.length === 0) return
  const bases = await knowledge.bases(
    scope.organizationId,
    ids.map((id) => checkedId(KnowledgeBaseId, id)),
  )
  const project = agent.projectId ?? scope.projectId
  const usable = bases.filter(
    ({ projectId }) => project === null || projectId === null || projectId === project,
  )
  const known = new Set<string>(usable.map(({ id }) => id))
  const errors = ids.flatMap((id, at) => {
    const path = `config.knowledge.base_ids.${at}`
    return known.has(id.toLowerCase()) ? [] : [{ path, message: 'does not exist or is not visible here' }]
  })
  if (errors.length === 0) return
  throw new DomainError(
    'validation_error',
    'The configuration names a knowledge base that does not exist or is not visible here.',
    { errors },
  )
}
