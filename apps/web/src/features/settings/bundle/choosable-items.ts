import type { AnswerOf } from '../../../infrastructure/client/operation-types.ts'
import type { Asked } from '../../../infrastructure/queries/use-operation.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'

/** The separately exportable items, in the order of the page. */
export const CHOOSABLE_KINDS = [
  'agent',
  'team',
  'workflow',
  'knowledge_base',
  'skill',
  'llm_configuration',
  'credential',
  'mcp_server',
  'voice_configuration',
  'phone_trunk',
  'phone_number',
  'project',
] as const
export type ChoosableKind = (typeof CHOOSABLE_KINDS)[number]

/** An exportable resource. */
export interface ChoosableItem {
  /** In the export's format: `agent:<id>`. */
  id: string
  label: string
  detail?: string
}

/** The matching resources of one kind, at most 100, and their total number. */
export type ChoosableItems = Pick<Asked<unknown>, 'failure' | 'isFetching' | 'retry'> & {
  data: { items: readonly ChoosableItem[]; total: number } | undefined
}

const LIMIT = 100

/** The search of each kind of resource. Each is a hook, so a component keeps to one kind. */
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
    asItems(useOperation('listKnowledgeBases', { query: searchOf(q) }), ({ knowledgeBaseId, name }) =>
      itemOf('knowledge_base', knowledgeBaseId, name, null),
    ),
  skill: (q) =>
    asItems(useOperation('listSkills', { query: searchOf(q) }), ({ slug, description }) => ({
      id: `skill:${slug}`,
      label: slug,
      detail: description,
    })),
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
  voice_configuration: (q) =>
    asItems(
      useOperation('listVoiceConfigurations', { query: queryOf(q) }),
      ({ voiceConfigId, slug, agentName }) => itemOf('voice_configuration', voiceConfigId, agentName, slug),
    ),
  phone_trunk: (q) =>
    useTrunks(q, (trunks) =>
      trunks.map(({ trunkId, name, slug }) => itemOf('phone_trunk', trunkId, name, slug)),
    ),
  phone_number: (q) =>
    useTrunks(q, (trunks) =>
      trunks.flatMap(({ name, numbers }) =>
        numbers.map(({ phoneNumberId, e164 }) => itemOf('phone_number', phoneNumberId, e164, name)),
      ),
    ),
  project: (q) =>
    asItems(useOperation('listProjects', { query: queryOf(q) }), ({ projectId, name, slug }) =>
      itemOf('project', projectId, name, slug),
    ),
}

function queryOf(q: string) {
  return { ...searchOf(q), sort: 'name' as const }
}

/** For lists that the server searches and does not sort. */
function searchOf(q: string) {
  return { limit: LIMIT, ...(q === '' ? {} : { q }) }
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

/** Items from the list of trunks, which is one page and has the numbers of each. */
function useTrunks(
  q: string,
  itemsFrom: (trunks: AnswerOf<'listPhoneTrunks'>['data']) => readonly ChoosableItem[],
): ChoosableItems {
  const { data, failure, isFetching, retry } = useOperation('listPhoneTrunks', {})
  const items = data && itemsFrom(data.data)
  return matching(q, { failure, isFetching, retry, data: items && { items, total: items.length } })
}

/** For lists that the server does not search. */
function matching(q: string, asked: ChoosableItems): ChoosableItems {
  const { data } = asked
  if (data === undefined || q === '') return asked
  const wanted = q.toLowerCase()
  const items = data.items.filter(({ label }) => label.toLowerCase().includes(wanted))
  return { ...asked, data: { items, total: items.length } }
}
