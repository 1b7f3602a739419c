import type {
  AgentRecord,
  ApiKeyRecord,
  LlmConfigurationRecord,
  OrganizationRecord,
  ProjectRecord,
  Readers,
} from '@troupe/database'

/** Everything of one organization that a bundle describes. */
export interface WholeOrganization {
  organization: OrganizationRecord
  projects: readonly ProjectRecord[]
  apiKeys: readonly ApiKeyRecord[]
  llmConfigurations: readonly LlmConfigurationRecord[]
  /** Oldest first, with those that the API made. */
  agents: readonly AgentRecord[]
}

const PAGE = 100

export async function readEverything(
  read: Readers,
  organization: OrganizationRecord,
): Promise<WholeOrganization> {
  const { id } = organization
  return {
    organization,
    projects: await read.projects.list(id),
    apiKeys: await read.apiKeys.list(id),
    llmConfigurations: await read.llmConfigurations.list(id),
    agents: await allAgents(read, organization),
  }
}

async function allAgents(read: Readers, { id: organizationId }: OrganizationRecord): Promise<AgentRecord[]> {
  // By id: an agent that is created between two pages moves others to the next one.
  const agents = new Map<string, AgentRecord>()
  const scope = { organizationId, projectId: null }
  for (let page = 1, more = true; more; page += 1) {
    const { rows } = await read.agents.page(scope, { status: null, projectId: null, page, limit: PAGE })
    for (const row of rows) agents.set(row.id, row)
    more = rows.length === PAGE
  }
  return [...agents.values()].reverse()
}
