import { type BundleWorkflow, isJsonObject } from '@troupe/contract'
import type { Graph, GraphEdge, GraphNode } from '@troupe/graph'
import { fieldsOf } from '../resolve/resolve-graph.ts'
import type { WholeWorkflow } from './read-everything.ts'
import { projectOf, type Slugs } from './slugs.ts'

type Json = Record<string, unknown>

/** The references of a workflow, by id, including slugs that the same export derives for rows without one. */
export interface WorkflowSlugs {
  projects: Slugs
  llms: Slugs
  agents: Slugs
  teams: Slugs
}

/**
 * A workflow in the bundle format: its draft, and whether the draft is published. A published workflow with a
 * different draft omits `publish`, because applying the export must publish nothing.
 */
export function describeWorkflow(
  workflow: WholeWorkflow & { slug: string },
  slugs: WorkflowSlugs,
): BundleWorkflow {
  const { slug, name, id, projectId, description, runsDraft } = workflow
  const { nodes, edges, ...others } = workflow.draft as Graph
  return {
    slug,
    name,
    id,
    ...projectOf(projectId, slugs.projects),
    ...(description === null ? {} : { description }),
    ...(runsDraft ? { publish: true } : {}),
    graph: {
      ...others,
      nodes: nodes.map((node) => describeNode(node, slugs)),
      edges: edges.map(describeEdge),
    },
  }
}

function describeNode(node: GraphNode, slugs: WorkflowSlugs): Json {
  const { id, type, name, parentId, position, disabled } = node
  const config = withSlugs(node, slugs)
  return {
    id,
    type,
    name,
    ...(parentId === null ? {} : { parentId }),
    ...(position.x === 0 && position.y === 0 ? {} : { position }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(disabled && { disabled }),
  }
}

function describeEdge({ id, source, sourceHandle, target }: GraphEdge): Json {
  return { id, source, ...(sourceHandle === 'out' ? {} : { sourceHandle }), target }
}

/** Replaces every id in a node's references by the slug of its target, if that exists; key order is preserved. */
function withSlugs(node: GraphNode, { agents, teams, llms }: WorkflowSlugs): Json {
  const fields = fieldsOf(node)
  let { config } = node
  if ('agentId' in fields) config = named(config, 'agentId', 'agent', agents)
  if ('teamId' in fields) config = named(config, 'teamId', 'team', teams)
  const { model } = config
  if (!('model' in fields) || !isJsonObject(model)) return config
  const member = (value: unknown) =>
    isJsonObject(value) ? named(value, 'llm_config_id', 'llm_config', llms) : value
  const entries = Object.entries(model).map(([key, value]) => {
    if (key === 'primary') return [key, member(value)]
    return [key, key === 'fallbacks' && Array.isArray(value) ? value.map(member) : value]
  })
  return { ...config, model: Object.fromEntries(entries) }
}

function named(value: Json, idKey: string, key: string, slugs: Slugs): Json {
  const id = value[idKey]
  const slug = typeof id === 'string' ? slugs.get(id) : undefined
  if (slug === undefined) return value
  return Object.fromEntries(Object.entries(value).map((entry) => (entry[0] === idKey ? [key, slug] : entry)))
}
