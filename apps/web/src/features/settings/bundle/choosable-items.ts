import type { Asked } from '../../../infrastructure/queries/use-operation.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'

/** What can be exported by itself, in the order of the page. */
export const CHOOSABLE_KINDS = [
  'agent',
  'team',
  'workflow',
  'knowledge_base',
  'skill',
  'llm_configuration',
  'credential',
  'mcp_server',
  'project',
] as const
export type ChoosableKind = (typeof CHOOSABLE_KINDS)[number]

/** One thing to export. */
export interface ChoosableItem {
  /** As the export names it: `agent:<id>`. */
  id: string
  label: string
  detail?: string
}

/** The things of one kind that match, at most 100, and how many there are. */
export type ChoosableItems = Pick<Asked<unknown>, 'failure' | 'isFetching' | 'retry'> & {
  data: { items: readonly ChoosableItem[]; total: number } | undefined
}

const LIMIT = 100

/** How the things of each kind are found. Each is a hook, so a component keeps to one kind. */
export const CHOOSABLE: Readonly<Record<ChoosableKind, (q: string) => ChoosableItems>> = {
  agent: (q) =>
    asItems(useOperation('listAgents', { query: queryOf(q) }), ({ agentId, name, slug }) =>
      itemOf('agent', agentId, name, slug),
    ),
  team: (q) =>
    asItems(useOperation('listTeams', { query: queryOf(q) }), ({ teamId, name, slug }) =>
      itemOf('team', teamId, name, slug),
    ),
  workflow: (q) =>
    asItems(useOperation('listWorkflows', { query: queryOf(q) }), ({ workflowId, name, slug }) =>
      itemOf('workflow', workflowId, name, slug),
    ),
  knowledge_base: (q) =>
    matching(
      q,
      asItems(useOperation('listKnowledgeBases', { query: { limit: LIMIT } }), ({ knowledgeBaseId, name }) =>
        itemOf('knowledge_base', knowledgeBaseId, name, null),
      ),
    ),
  skill: (q) =>
    matching(
      q,
      asItems(useOperation('listSkills', { query: { limit: LIMIT } }), ({ slug, description }) => ({
        id: `skill:${slug}`,
        label: slug,
        detail: description,
      })),
    ),
  llm_configuration: (q) =>
    asItems(useOperation('listLlmConfigurations', { query: queryOf(q) }), ({ llmConfigId, name, slug }) =>
      itemOf('llm_configuration', llmConfigId, name, slug),
    ),
  credential: (q) =>
    asItems(useOperation('listCredentials', { query: queryOf(q) }), ({ credentialId, name, slug }) =>
      itemOf('credential', credentialId, name, slug),
    ),
  mcp_server: (q) =>
    asItems(useOperation('listMcpServers', { query: queryOf(q) }), ({ mcpServerId, name, slug }) =>
      itemOf('mcp_server', mcpServerId, name, slug),
    ),
  project: (q) =>
    asItems(useOperation('listProjects', { query: queryOf(q) }), ({ projectId, name, slug }) =>
      itemOf('project', projectId, name, slug),
    ),
}

function queryOf(q: string) {
  return { limit: LIMIT, sort: 'name' as const, ...(q === '' ? {} : { q }) }
}

function itemOf(kind: ChoosableKind, id: string, label: string, slug: string | null): ChoosableItem {
  return { id: `${kind}:${id}`, label, ...(slug === null ? {} : { detail: slug }) }
}

function asItems<T>(
  { data, failure, isFetching, retry }: Asked<{ data: readonly T[]; total: number }>,
  itemFrom: (row: T) => ChoosableItem,
): ChoosableItems {
  return { failure, isFetching, retry, data: data && { items: data.data.map(itemFrom), total: data.total } }
}

/** For lists that the server does not search. */
function matching(q: string, asked: ChoosableItems): ChoosableItems {
  const { data } = asked
  if (data === undefined || q === '') return asked
  const wanted = q.toLowerCase()
  const items = data.items.filter(({ label }) => label.toLowerCase().includes(wanted))
  return { ...asked, data: { items, total: items.length } }
}
