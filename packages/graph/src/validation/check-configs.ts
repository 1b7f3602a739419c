import type { GraphNode } from '../model/graph.ts'
import type { NodeTypes, ResourceReference } from '../model/node-types.ts'
import { finder, type GraphProblem, type Placed } from './graph-problem.ts'

/** What became of something outside the graph: `missing` also stands for invisible or not connected. */
export type ResourceState = 'usable' | 'draft' | 'archived' | 'missing' | UnlistedModel

/** The LLM configuration exists and does not offer the model that is asked of it. */
export interface UnlistedModel {
  /** Names the models that it offers. */
  unlistedModel: string
}

/** Looks up what a config names. */
export type ResourceLookup = (reference: ResourceReference) => ResourceState

const KINDS = { agent: 'agent', team: 'team', llm_configuration: 'LLM configuration' }

function resourceProblem(
  { item: node, path }: Placed<GraphNode>,
  reference: ResourceReference,
  state: ResourceState,
): GraphProblem | null {
  const problem = finder(path, node.id)
  const at = `config.${reference.path}`
  const kind = KINDS[reference.kind]
  if (typeof state === 'object') {
    const place = `config.${reference.model?.path ?? reference.path}`
    return problem('block', 'unlisted_model', place, state.unlistedModel)
  }
  switch (state) {
    case 'usable':
      return null
    case 'draft':
      return problem('warning', 'draft_resource', at, `the ${kind} is still a draft`)
    case 'archived':
      return problem('block', 'archived_resource', at, `the ${kind} is archived`)
    case 'missing':
      return problem('block', 'missing_resource', at, `there is no such ${kind}: ${reference.id}`)
    default:
      return state satisfies never
  }
}

/** What node types say about the configs, and what has become of the agents, teams and LLM configurations they name. */
export function checkConfigs(
  nodes: readonly Placed<GraphNode>[],
  types: NodeTypes,
  resources: ResourceLookup,
): GraphProblem[] {
  return nodes.flatMap((placed) => {
    const { item: node, path } = placed
    const type = types.get(node.type)
    const ofConfig = (type?.check?.(node.config) ?? []).map((found): GraphProblem => {
      const at = ['config', found.path].filter((part) => part !== '').join('.')
      return { ...found, path: `${path}.${at}`, nodeId: node.id, edgeId: null }
    })
    const references = type?.references?.(node.config) ?? []
    return [...ofConfig, ...references.flatMap((one) => resourceProblem(placed, one, resources(one)) ?? [])]
  })
}

/** Everything outside the graph that its configs name, so that it can be loaded before `validateGraph`. */
export function referencesOf(nodes: readonly GraphNode[], types: NodeTypes): ResourceReference[] {
  return nodes.flatMap((node) => types.get(node.type)?.references?.(node.config) ?? [])
}
