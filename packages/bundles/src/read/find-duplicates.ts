import { propertyOf } from '@troupe/contract'
import type { Item, OrganizationItem } from './bundle-items.ts'
import type { ProblemList } from './problem-list.ts'

/** Adds a problem for every duplicate of a unique value. */
export function addDuplicates(organizations: readonly OrganizationItem[], problems: ProblemList): void {
  const unique = (what: string, items: readonly Item<object>[], key: string) => {
    const first = new Map<unknown, string>()
    for (const { path, value } of items) {
      const text = propertyOf(value, key)
      if (text === undefined) continue
      const earlier = first.get(text)
      if (earlier === undefined) first.set(text, path)
      else problems.add(`${path}.${key}`, `is used by another ${what} on line ${problems.lineOf(earlier)}`)
    }
  }
  unique('organization', organizations, 'slug')
  unique('part of the bundle', organizations.flatMap(everything), 'id')
  unique(
    'API key',
    organizations.flatMap(({ apiKeys }) => apiKeys),
    'secret',
  )
  for (const parts of organizations) {
    unique('project', parts.projects, 'slug')
    unique('member', parts.members, 'email')
    // An ended key keeps its name when a new key takes that name: an export tells them apart by their ids.
    for (const named of Map.groupBy(parts.apiKeys, ({ value }) => value.name).values()) {
      if (named.some(({ value }) => value.id === undefined)) unique('API key', named, 'name')
    }
    unique('LLM configuration', parts.llmConfigurations, 'slug')
    unique('credential', parts.credentials, 'slug')
    unique('knowledge base', parts.knowledgeBases, 'slug')
    unique('MCP server', parts.mcpServers, 'slug')
    unique('agent', parts.agents, 'slug')
    unique('voice configuration', parts.voiceConfigurations, 'slug')
    unique('trunk', parts.trunks, 'slug')
    unique('phone number', parts.phoneNumbers, 'slug')
    unique('team', parts.teams, 'slug')
    unique('workflow', parts.workflows, 'slug')
    for (const ofLevel of byLevel(parts.budgets)) unique('budget of this level', ofLevel, 'metric')
    for (const ofLevel of byLevel(parts.skills)) unique('skill of this level', ofLevel, 'slug')
    for (const { path, value } of parts.llmConfigurations) {
      const models = value.models.map((model, index) => ({ path: `${path}.models.${index}`, value: model }))
      unique('model', models, 'modelId')
    }
  }
}

/** The items of each project, and those of the organization level. */
function byLevel<T extends { project?: string | null }>(items: readonly Item<T>[]): Item<T>[][] {
  return [...Map.groupBy(items, ({ value }) => value.project ?? null).values()]
}

function everything(organization: OrganizationItem): Item<object>[] {
  const { projects, apiKeys, llmConfigurations, credentials, mcpServers, knowledgeBases } = organization
  const { agents, voiceConfigurations, trunks, phoneNumbers, teams, workflows, budgets } = organization
  const voice = [...voiceConfigurations, ...trunks, ...phoneNumbers]
  const settings = [
    ...projects,
    ...apiKeys,
    ...llmConfigurations,
    ...credentials,
    ...mcpServers,
    ...knowledgeBases,
  ]
  return [organization, ...settings, ...agents, ...voice, ...teams, ...workflows, ...budgets]
}
