import { invalidField, type OrganizationId, type ProjectId } from '@troupe/contract'
import type { Readers } from '@troupe/storage'

const KINDS = {
  agent: 'the agent',
  team: 'the team',
  workflow: 'the workflow',
  knowledge_base: 'the knowledge base',
  voice_configuration: 'the voice configuration',
} as const

/**
 * Refuses to move a credential, an MCP server or an LLM configuration to a project if a resource of another project
 * uses it and would lose it. The caller holds the organization's lock.
 *
 * @throws DomainError `validation_error` at `projectId`, naming the first user
 */
export async function requireUsersWithin(
  { builder }: Pick<Readers, 'builder'>,
  before: { organizationId: OrganizationId; id: string; projectId: ProjectId | null },
  projectId: ProjectId | null,
): Promise<void> {
  if (projectId === null || projectId === before.projectId) return
  const users = await builder.resourceUsers.elsewhere(before.organizationId, before.id, projectId)
  const [first, ...others] = users
  if (!first) return
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const verb = others.length === 0 ? 'uses' : 'use'
  const message = `must not change: ${KINDS[first.kind]} “${first.name}”${more} of another project ${verb} it`
  throw invalidField('projectId', message)
}
