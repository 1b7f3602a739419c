import type { BuilderWorkflow } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import type { Graph } from '@troupe/graph'

type Draft = BuilderWorkflow['draft']

const GRAPHS = new WeakMap<Draft, Graph>()

/**
 * The graph of a draft: the same object for each reader of the same draft, so that a step that did not change stays the same object
 * from one state of the draft to the next.
 */
export function graphOf(draft: Draft): Graph {
  const known = GRAPHS.get(draft)
  if (known) return known
  const graph = readGraph(draft)
  GRAPHS.set(draft, graph)
  return graph
}

/** A graph in the type of the contract, whose nodes are open objects. {@link graphOf} is its inverse. */
export function draftOf(graph: Graph): Draft {
  const { nodes, edges, expose } = graph
  const draft: Draft = {
    nodes: nodes.map((node) => ({ ...node })),
    edges: edges.map((edge) => ({ ...edge })),
    ...(expose ? { expose } : {}),
  }
  GRAPHS.set(draft, graph)
  return draft
}
