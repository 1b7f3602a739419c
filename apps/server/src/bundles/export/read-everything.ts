import type {
  AgentRecord,
  ApiKeyRecord,
  LlmConfigurationRecord,
  OrganizationRecord,
  ProjectRecord,
  Readers,
  TeamRecord,
} from '@troupe/database'

/** Everything of one organization that a bundle describes. */
export interface WholeOrganization {
  organization: OrganizationRecord
  projects: readonly ProjectRecord[]
  apiKeys: readonly ApiKeyRecord[]
  llmConfigurations: readonly LlmConfigurationRecord[]
  /** Oldest first, with those that the API made. */
  agents: readonly AgentRecord[]
  /** Oldest first, with those that the builder made. */
  teams: readonly TeamRecord[]
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
    agents: await everyPage((page) =>
      read.agents.page(
        { organizationId: id, projectId: null },
        { status: null, projectId: null, page, limit: PAGE },
      ),
    ),
    teams: await everyPage((page) =>
      read.teams.page({ organizationId: id, projectId: null }, { projectId: null, page, limit: PAGE }),
    ),
  }
}

/** All rows, oldest first, of something that is read in pages, newest first. */
async function everyPage<T extends { id: string }>(
  read: (page: number) => Promise<{ rows: T[] }>,
): Promise<T[]> {
  // By id: what is created between two pages moves others to the next one.
  const all = new Map<string, T>()
  for (let page = 1, more = true; more; page += 1) {
    const { rows } = await read(page)
    for (const row of rows) all.set(row.id, row)
    more = rows.length === PAGE
  }
  return [...all.values()].reverse()
}
