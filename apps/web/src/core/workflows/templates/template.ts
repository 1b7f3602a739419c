import type { Graph, GraphEdge, GraphNode } from '@troupe/graph'

/** A workflow to begin with, from the gallery. It needs no agent: its models are those of the default LLM configuration. */
export interface WorkflowTemplate {
  id: string
  name: string
  /** One sentence: what it does, for whom. */
  detail: string
  /** Words that a search finds it by, beside those of its name and sentence. */
  keywords: readonly string[]
  graph: Graph
  /** A call that shows it: what its test starts with. */
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

/** A connection; `out` is the handle of steps with one way on. */
export function way(source: string, target: string, sourceHandle = 'out'): GraphEdge {
  return { id: `${source}-${sourceHandle}-${target}`, source, sourceHandle, target }
}
