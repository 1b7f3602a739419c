import type { IdText, LlmConfigId } from '@troupe/contract'
import type { Graph, GraphEdge, GraphNode } from '@troupe/graph'

/** A workflow to begin with, from the gallery. Its models are those of the default LLM configuration. */
export interface WorkflowTemplate {
  id: string
  name: string
  /** One sentence: purpose and audience. */
  detail: string
  /** Words that a search finds it by, beside those of its name and sentence. */
  keywords: readonly string[]
  graph: Graph
  /** The step that runs an agent or a team of the organization, which is chosen with the template. */
  asks?: { kind: 'agent' | 'team'; stepId: string }
  /** An example call: the payload of its test. */
  payload: Record<string, unknown>
}

/** A step of a template. The canvas lays templates out, so none has a position. */
export function step(
  id: string,
  type: string,
  name: string,
  config: Record<string, unknown> = {},
  parentId: string | null = null,
): GraphNode {
  return { id, type, name, parentId, position: { x: 0, y: 0 }, config }
}

/** A connection; `out` is the handle of steps with one output. */
export function way(source: string, target: string, sourceHandle = 'out'): GraphEdge {
  return { id: `${source}-${sourceHandle}-${target}`, source, sourceHandle, target }
}

/** The graph of a template with the selected agent or team; without one, the step requires it before publishing. */
export function filledGraph({ graph, asks }: WorkflowTemplate, chosenId: IdText<LlmConfigId> | null): Graph {
  if (!asks || chosenId === null) return graph
  const key = asks.kind === 'agent' ? 'agentId' : 'teamId'
  return {
    ...graph,
    nodes: graph.nodes.map((node) =>
      node.id === asks.stepId ? { ...node, config: { ...node.config, [key]: chosenId } } : node,
    ),
  }
}
