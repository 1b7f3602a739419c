import type { OrganizationRecord } from '@troupe/storage'
import type { Item, OrganizationItem } from './bundle-items.ts'
import { ProblemList } from './problem-list.ts'
import type { ReadBundle } from './read-bundle.ts'

type Own = Pick<OrganizationRecord, 'id' | 'slug' | 'name'>

/**
 * Limits a bundle to one organization. Every other one is a problem and is removed before any look-up, so that it
 * reveals nothing about other organizations.
 */
export function onlyOrganization(read: ReadBundle, own: Own): ReadBundle {
  const problems = new ProblemList(read.lines, read.problems)
  const [first, ...others] = read.organizations.filter((item) => {
    if (isOwn(item, own)) return true
    const text = `must be ${own.slug}: a member changes one organization`
    problems.add(`${item.path}.slug`, text, 'other_organization')
    return false
  })
  for (const { path } of others) problems.add(path, 'describes an organization a second time')
  return { ...read, organizations: first ? [first] : [], problems: problems.found }
}

/**
 * Turns the bundle of another organization into one of this organization: its items are matched by their slugs and get
 * new ids, because their ids may be taken at their origin. Name, limits and members are unchanged here.
 */
export function adoptedOrganization(read: ReadBundle, own: Own): ReadBundle {
  const [first, ...others] = read.organizations
  if (!first || others.length > 0 || isOwn(first, own)) return onlyOrganization(read, own)
  const { slug, name, id } = own
  return {
    ...read,
    organizations: [
      {
        ...first,
        value: { slug, name, id },
        members: [],
        projects: withoutIds(first.projects),
        apiKeys: withoutIds(first.apiKeys),
        llmConfigurations: withoutIds(first.llmConfigurations),
        credentials: withoutIds(first.credentials),
        knowledgeBases: withoutIds(first.knowledgeBases),
        mcpServers: withoutIds(first.mcpServers),
        agents: withoutIds(first.agents),
        voiceConfigurations: withoutIds(first.voiceConfigurations),
        trunks: withoutIds(first.trunks),
        phoneNumbers: withoutIds(first.phoneNumbers),
        teams: withoutIds(first.teams),
        workflows: withoutIds(first.workflows),
        budgets: withoutIds(first.budgets),
      },
    ],
  }
}

function isOwn({ value: { id, slug } }: OrganizationItem, own: Own): boolean {
  return id === undefined ? slug === own.slug : id === own.id
}

function withoutIds<T extends { id?: string }>(items: readonly Item<T>[]): Item<Omit<T, 'id'>>[] {
  return items.map(({ path, value: { id: _, ...value } }) => ({ path, value }))
}
