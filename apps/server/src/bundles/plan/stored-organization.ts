import { type AgentId, isUuid, type TeamId } from '@troupe/contract'
import type {
  AgentRecord,
  ApiKeyRecord,
  LlmConfigurationRecord,
  OrganizationRecord,
  ProjectRecord,
  Readers,
  TeamRecord,
} from '@troupe/database'
import type { OrganizationItem } from '../read-bundle.ts'

/** What the database has of one organization, as far as a bundle can touch it. */
export interface StoredOrganization {
  projects: readonly ProjectRecord[]
  apiKeys: readonly ApiKeyRecord[]
  llmConfigurations: readonly LlmConfigurationRecord[]
  /** Those with a slug, and those that the bundle names by id. */
  agents: readonly AgentRecord[]
  teams: readonly TeamRecord[]
}

const NOTHING: StoredOrganization = {
  projects: [],
  apiKeys: [],
  llmConfigurations: [],
  agents: [],
  teams: [],
}

/** Reads what is compared with an organization of a bundle; `organization` null is a new one. */
export async function readStored(
  read: Readers,
  organization: OrganizationRecord | null,
  item: OrganizationItem,
): Promise<StoredOrganization> {
  if (organization === null) return NOTHING
  const { id } = organization
  const withSlug = await read.agents.list(id)
  const others = new Set(namedAgents(item))
  for (const agent of withSlug) others.delete(agent.id)
  const teams = [...(await read.teams.list(id))]
  for (const { value } of item.teams) {
    if (value.id === undefined || teams.some((team) => team.id === value.id)) continue
    const team = await read.teams.byId(id, value.id as TeamId)
    if (team) teams.push(team)
  }
  return {
    projects: await read.projects.list(id),
    apiKeys: await read.apiKeys.list(id),
    llmConfigurations: await read.llmConfigurations.list(id),
    agents: [...withSlug, ...(await read.agents.byIds(id, [...others]))],
    teams,
  }
}

/** The ids by which a bundle names agents, as agents and in teams. */
function namedAgents({ agents, teams }: OrganizationItem): AgentId[] {
  const inTeams = teams.flatMap(({ value: { lead, members, fallback_member: fallback } }) => [
    ...('agent' in lead ? [lead.agent] : []),
    ...members.map(({ agent }) => agent),
    ...(fallback == null ? [] : [fallback]),
  ])
  const ids = [...agents.flatMap(({ value }) => value.id ?? []), ...inTeams]
  return ids.filter(isUuid).map((id) => id.toLowerCase() as AgentId)
}
