import { type BundleOrganization, isJsonObject, propertyOf } from '@troupe/contract'

/** The lists of an organization in a bundle, by the kind that a selection names. */
const LISTS = {
  project: 'projects',
  member: 'members',
  api_key: 'apiKeys',
  llm_configuration: 'llmConfigurations',
  credential: 'credentials',
  knowledge_base: 'knowledgeBases',
  skill: 'skills',
  mcp_server: 'mcpServers',
  agent: 'agents',
  voice_configuration: 'voiceConfigurations',
  phone_trunk: 'trunks',
  phone_number: 'phoneNumbers',
  team: 'teams',
  workflow: 'workflows',
  budget: 'budgets',
} as const

type ItemKind = keyof typeof LISTS

/** The kinds of references, by a slug in a field of this name. */
const REFERENCES: ReadonlyMap<string, ItemKind> = new Map([
  ['project', 'project'],
  ['llm_config', 'llm_configuration'],
  ['rerank_llm_config_id', 'llm_configuration'],
  ['auth_credential', 'credential'],
  ['credential', 'credential'],
  ['bases', 'knowledge_base'],
  ['skill', 'skill'],
  ['skills', 'skill'],
  ['server', 'mcp_server'],
  ['agent', 'agent'],
  ['fallback_member', 'agent'],
  ['team', 'team'],
  ['trunk', 'phone_trunk'],
  ['voiceConfiguration', 'voice_configuration'],
  ['workflow', 'workflow'],
])

interface Item {
  kind: ItemKind
  value: object
}

/** Some items of an organization for a bundle. */
export interface ItemSelection {
  /** `agent:<id>`; the id of a skill is its slug, that of a member an e-mail address. */
  include: readonly string[]
  /** Whether the references of the items are added, transitively. */
  dependencies: boolean
}

/** The organization with only the selected items, without its settings, and the selected items that it does not have. */
export function selectItems(
  organization: BundleOrganization,
  { include, dependencies }: ItemSelection,
): { selected: BundleOrganization; unknown: string[] } {
  const items = itemsOf(organization)
  // A graph may have 100,000 texts that look like references, so each costs only a single look-up.
  const byName = itemsByName(items)
  const unknown = include.filter((name) => !byName.has(name))
  const chosen = new Set([...new Set(include)].flatMap((name) => byName.get(name) ?? []))
  // A set can grow during iteration: items added last are also visited.
  if (dependencies) {
    for (const { value } of chosen) {
      for (const [kind, name] of referencesIn(value)) {
        const [item] = byName.get(`${kind}:${name}`) ?? []
        if (item) chosen.add(item)
      }
    }
  }
  const { slug, name, id } = organization
  const lists = Object.entries(LISTS).flatMap(([kind, list]) => {
    const values = items.filter((item) => item.kind === kind && chosen.has(item)).map(({ value }) => value)
    return values.length === 0 ? [] : [[list, values]]
  })
  return { selected: { slug, name, id, ...Object.fromEntries(lists) }, unknown }
}

function itemsOf(organization: BundleOrganization): Item[] {
  return Object.entries(LISTS).flatMap(([kind, list]) =>
    (organization[list] ?? []).map((value) => ({ kind: kind as ItemKind, value })),
  )
}

/** The items of each kind and id, slug or address: `agent:writer`. */
function itemsByName(items: readonly Item[]): ReadonlyMap<string, readonly Item[]> {
  const byName = new Map<string, Item[]>()
  for (const item of items) {
    const names = ['id', 'slug', 'email'].map((field) => propertyOf(item.value, field))
    for (const name of new Set(names.filter((one) => typeof one === 'string'))) {
      const key = `${item.kind}:${name}`
      const others = byName.get(key)
      if (others) others.push(item)
      else byName.set(key, [item])
    }
  }
  return byName
}

/** Every text in a field that refers to another item, however deep. */
function* referencesIn(value: unknown, kind: ItemKind | null = null): Generator<[ItemKind, string]> {
  if (typeof value === 'string') {
    if (kind !== null) yield [kind, value]
  } else if (Array.isArray(value)) {
    for (const one of value) yield* referencesIn(one, kind)
  } else if (isJsonObject(value)) {
    for (const [field, inner] of Object.entries(value)) {
      const named = REFERENCES.get(field) ?? (field === 'slug' ? kind : null)
      yield* referencesIn(inner, named)
    }
  }
}
