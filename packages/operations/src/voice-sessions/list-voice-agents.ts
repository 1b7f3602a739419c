import type { Scope } from '@troupe/agents/ports'
import type { OPERATIONS, QueryOf, ResultOf, VoiceAgent } from '@troupe/contract'
import type { Readers, VoiceAgentRow } from '@troupe/storage'
import { requestedProject } from '../access/requested-project.ts'
import { requireProject } from '../access/require-project.ts'

type ListVoiceAgents = (typeof OPERATIONS)['listVoiceAgents']

/**
 * One page of agents that have a voice configuration, newest first; it needs no media server. A project scope sees only
 * its own project, regardless of the filter.
 *
 * @throws DomainError `project_not_found`
 */
export async function listVoiceAgents(
  read: Pick<Readers, 'voiceConfigurations' | 'projects'>,
  scope: Scope,
  query: QueryOf<ListVoiceAgents>,
): Promise<ResultOf<ListVoiceAgents>> {
  const { page = 1, limit = 20 } = query
  const projectId = requestedProject(scope, query.projectRefId)
  if (scope.projectId === null && projectId !== null) {
    await requireProject(read, scope.organizationId, projectId)
  }
  const { rows, total } = await read.voiceConfigurations.agents(scope, { projectId, page, limit })
  return { data: rows.map(presentVoiceAgent), total, page, limit }
}

function presentVoiceAgent({ description, ttsProvider, ...row }: VoiceAgentRow): VoiceAgent {
  const { agentId, name, voiceConfigId, sttProvider, projectId } = row
  return {
    agentId,
    name,
    // Never null in this resource.
    description: description ?? '',
    voiceConfigId,
    voiceProvider: ttsProvider,
    sttProvider,
    projectId,
  }
}
