import { AgentId, isJsonObject, LlmConfigId, type NewId, propertyOf, TeamId } from '@troupe/contract'
import type { Graph, GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import type { Lookups } from './lookups.ts'

type Json = Record<string, unknown>
type Kind = keyof Lookups

/** Resolves the references of one workflow. `report` takes paths below its graph. */
export interface GraphResolution {
  lookups: Lookups
  report: (path: string, message: string) => void
  newId: NewId
}

/** A graph with every reference replaced by an id. */
export interface ResolvedGraph {
  graph: Graph
  /** Placeholder ids for references that are missing or invalid. */
  nobody: ReadonlySet<string>
  /** The path of the reference in the text for a path of the graph, and the reference as written there. */
  references: ReadonlyMap<string, { path: string; text: string }>
}

/** The reference keys, the keys of the ids that replace them, and the name of each kind. */
const KEYS = {
  agent: { key: 'agent', idKey: 'agentId', title: 'an agent', id: AgentId },
  team: { key: 'team', idKey: 'teamId', title: 'a team', id: TeamId },
  llm: { key: 'llm_config', idKey: 'llm_config_id', title: 'an LLM configuration', id: LlmConfigId },
} as const satisfies Record<Kind, unknown>

/**
 * Replaces every `agent`, `team` and `llm_config` (slug or id) where a node type takes an id. Key order is
 * preserved: the order of a text is the order of the graph.
 */
export function resolveGraph(graph: Graph, resolution: GraphResolution): ResolvedGraph {
  const { lookups, report, newId } = resolution
  const references = new Map<string, { path: string; text: string }>()
  const nobody = new Set<string>()

  const idOf = (kind: Kind, reference: unknown, path: string): string => {
    const { title } = KEYS[kind]
    const target = typeof reference === 'string' ? lookups[kind](reference) : undefined
    if (typeof reference !== 'string') report(path, `must be the slug or the id of ${title}`)
    else if (target === undefined) report(path, `is not ${title} of this organization: ${reference}`)
    if (target) return target.id
    const id = newId(KEYS[kind].id)
    nobody.add(id)
    return id
  }

  const withIds = (kind: Kind, value: Json, at: string): Json => {
    const { key, idKey } = KEYS[kind]
    const [named, id] = [value[key] ?? null, value[idKey] ?? null]
    if (named === null) return value
    if (id !== null) report(`${at}.${key}`, `must not be given together with ${idKey}`)
    references.set(`${at}.${idKey}`, { path: `${at}.${key}`, text: String(named) })
    const entries = Object.entries(value).filter(([name]) => name !== idKey)
    const resolved = idOf(kind, named, `${at}.${key}`)
    return Object.fromEntries(entries.map((entry) => (entry[0] === key ? [idKey, resolved] : entry)))
  }

  const withModelIds = (model: unknown, at: string): unknown => {
    if (!isJsonObject(model)) return model
    return Object.fromEntries(
      Object.entries(model).map(([key, value]) => {
        if (key === 'primary' && isJsonObject(value)) return [key, withIds('llm', value, `${at}.primary`)]
        if (key !== 'fallbacks' || !Array.isArray(value)) return [key, value]
        const resolved = value.map((fallback: unknown, index) =>
          isJsonObject(fallback) ? withIds('llm', fallback, `${at}.fallbacks.${index}`) : fallback,
        )
        return [key, resolved]
      }),
    )
  }

  const nodes = graph.nodes.map((node, index): GraphNode => {
    const fields = fieldsOf(node)
    const at = `nodes.${index}.config`
    let { config } = node
    if ('agentId' in fields) config = withIds('agent', config, at)
    if ('teamId' in fields) config = withIds('team', config, at)
    if ('model' in fields && 'model' in config) {
      config = { ...config, model: withModelIds(config.model, `${at}.model`) }
    }
    return { ...node, config }
  })
  return { graph: { ...graph, nodes }, nobody, references }
}

/** The keys that a node's config may have, as declared by its type. */
export function fieldsOf(node: Pick<GraphNode, 'type'>): Json {
  const properties = propertyOf(NODE_TYPES.get(node.type)?.schema, 'properties')
  return isJsonObject(properties) ? properties : {}
}
