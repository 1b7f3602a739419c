import { AGENT_CONFIG_DEFAULTS, AgentId, newId } from '@troupe/contract'
import { agentSettingsOf } from '@troupe/operations/runnables/agent-settings'
import type { AgentRecord } from '@troupe/storage'

type NewAgent = Omit<AgentRecord, 'versionId' | 'createdAt' | 'updatedAt'>

/** An active agent of an organization to be inserted, with the default configuration and these fields. */
export function agentRecord(fields: Pick<NewAgent, 'organizationId'> & Partial<NewAgent>): NewAgent {
  return {
    id: newId(AgentId),
    projectId: null,
    slug: null,
    name: 'Agent',
    ...agentSettingsOf({}),
    status: 'active',
    config: AGENT_CONFIG_DEFAULTS,
    configSchemaVersion: 1,
    ...fields,
  }
}
