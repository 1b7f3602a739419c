import type { AgentId } from '@troupe/contract'
import type {
  AgentRecord,
  ApiKeyRecord,
  LlmConfigurationRecord,
  OrganizationRecord,
  ProjectRecord,
  Readers,
} from '@troupe/database'
import type { OrganizationItem } from '../read-bundle.ts'

/** What the database has of one organization, as far as a bundle can touch it. */
export interface StoredOrganization {
  projects: readonly ProjectRecord[]
  apiKeys: readonly ApiKeyRecord[]
  llmConfigurations: readonly LlmConfigurationRecord[]
  /** Those with a slug, and those that the bundle names by id. */
  agents: readonly AgentRecord[]
}

const NOTHING: StoredOrganization = { projects: [], apiKeys: [], llmConfigurations: [], agents: [] }

/** Reads what is compared with an organization of a bundle; `organization` null is a new one. */
export async function readStored(
  read: Readers,
  organization: OrganizationRecord | null,
  item: OrganizationItem,
): Promise<StoredOrganization> {
  if (organization === null) return NOTHING
  const { id } = organization
  const agents = [...(await read.agents.list(id))]
  for (const { value } of item.agents) {
    if (value.id === undefined || agents.some((agent) => agent.id === value.id)) continue
    const agent = await read.agents.byId(id, value.id as AgentId)
    if (agent) agents.push(agent)
  }
  return {
    projects: await read.projects.list(id),
    apiKeys: await read.apiKeys.list(id),
    llmConfigurations: await read.llmConfigurations.list(id),
    agents,
  }
}
