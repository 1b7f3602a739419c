import type { GraphNode } from '../model/graph.ts'
import type { NodeTypes, ResourceReference } from '../model/node-types.ts'
import { finder, type GraphProblem, type Placed } from './graph-problem.ts'
import type { Steps } from './steps.ts'

/** Status of a resource outside the graph; `missing` also means invisible or not connected. */
export type ResourceState = 'usable' | 'draft' | 'archived' | 'missing' | UnlistedModel

/** The LLM configuration exists but does not offer the requested model. */
export interface UnlistedModel {
  /** The offered models. */
  unlistedModel: string
}

/** Looks up a resource that a config names. */
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
      return problem(
        'block',
        'missing_resource',
        at,
        `${kind} not found: ${reference.id ?? 'the default one'}`,
      )
    default:
      return state satisfies never
  }
}

/** Problems that node types find in the configs, and unusable agents, teams and LLM configurations that they name. */
export function* checkConfigs(
  nodes: readonly Placed<GraphNode>[],
  types: NodeTypes,
  resources: ResourceLookup,
): Steps<GraphProblem[]> {
  const problems: GraphProblem[] = []
  for (const placed of nodes) {
    yield
    const { item: node, path } = placed
    // The problem has no effect until the node is enabled.
    if (node.disabled) continue
    const type = types.get(node.type)
    const ofConfig = (type?.check?.(node.config) ?? []).map((found): GraphProblem => {
      const at = ['config', found.path].filter((part) => part !== '').join('.')
      return { ...found, path: `${path}.${at}`, nodeId: node.id, edgeId: null }
    })
    const references = type?.references?.(node.config) ?? []
    problems.push(...ofConfig)
    for (const one of references) {
      const found = resourceProblem(placed, one, resources(one))
      if (found !== null) problems.push(found)
    }
  }
  return problems
}

/** All resources that the configs name, so that the caller can load them before `validateGraph`. */
export function referencesOf(nodes: readonly GraphNode[], types: NodeTypes): ResourceReference[] {
  return nodes.flatMap((node) => types.get(node.type)?.references?.(node.config) ?? [])
}
