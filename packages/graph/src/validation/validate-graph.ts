import type { Checked } from '@troupe/contract'
import { compileGraph } from '../compile/compile-graph.ts'
import type { FlowNode } from '../compile/compiled-graph.ts'
import { FULL_EFFORT } from '../compile/effort.ts'
import {
  type Graph,
  type GraphEdge,
  type GraphNode,
  MAX_EDGES,
  MAX_GRAPH_BYTES,
  MAX_NODES,
  parseEdge,
  parseGraph,
  parseNode,
} from '../model/graph.ts'
import { jsonBytes, megabytes } from '../model/json-bytes.ts'
import type { NodeTypes } from '../model/node-types.ts'
import { checkConfigs, type ResourceLookup } from './check-configs.ts'
import { checkEdges } from './check-edges.ts'
import { checkFlow } from './check-flow.ts'
import { checkNodes } from './check-nodes.ts'
import { checkTokens } from './check-tokens.ts'
import { finder, type GraphProblem, type Placed } from './graph-problem.ts'

/** A graph with everything that was found in it. `graph` is null when its shape is wrong. */
export interface ValidatedGraph {
  graph: Graph | null
  /** In the order of the checks: what blocks, then what fails or warns. */
  problems: GraphProblem[]
}

/** The parts of a graph that have the right shape, with the ids of the nodes that have not. */
interface Parts {
  nodes: Placed<GraphNode>[]
  edges: Placed<GraphEdge>[]
  broken: Set<string>
  problems: GraphProblem[]
}

function idOf(value: unknown): string | null {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : null
  return typeof id === 'string' ? id : null
}

/** Checks the items of a list one by one, so that one that fails hides no other. */
function readItems<T>(
  list: 'nodes' | 'edges',
  items: readonly unknown[],
  parse: (value: unknown, prefix: string) => Checked<T>,
): { sound: Placed<T>[]; broken: Set<string>; problems: GraphProblem[] } {
  const sound: Placed<T>[] = []
  const broken = new Set<string>()
  const problems = items.flatMap((item, index) => {
    const path = `${list}.${index}`
    const parsed = parse(item, path)
    if (parsed.ok) {
      sound.push({ item: parsed.value, path })
      return []
    }
    const id = idOf(item)
    if (id !== null) broken.add(id)
    const ids = list === 'nodes' ? ([id, null] as const) : ([null, id] as const)
    return parsed.errors.map((error) => finder(error.path, ...ids)('block', 'schema', '', error.message))
  })
  return { sound, broken, problems }
}

/** Takes apart what may not be a graph at all; null when it has no lists of nodes and edges that can be looked at. */
function partsOf(value: unknown): Parts | null {
  const { nodes, edges } = (value ?? {}) as { nodes?: unknown; edges?: unknown }
  if (!Array.isArray(nodes) || !Array.isArray(edges)) return null
  const read = { nodes: readItems('nodes', nodes, parseNode), edges: readItems('edges', edges, parseEdge) }
  return {
    nodes: read.nodes.sound,
    edges: read.edges.sound,
    broken: read.nodes.broken,
    problems: [...read.nodes.problems, ...read.edges.problems],
  }
}

/**
 * Finds everything that is wrong with a graph, all at once. What blocks publishing: its shape, ids, names, bodies, edges,
 * triggers, configs, and what they name outside. What does not: nodes that can never run, tokens that cannot be resolved,
 * and what may surprise; those are looked for as soon as the shape is right.
 *
 * @param resources Tells what has become of agents, teams and LLM configurations; everything is usable unless given.
 */
export function validateGraph(
  value: unknown,
  types: NodeTypes,
  resources: ResourceLookup = () => 'usable',
): ValidatedGraph {
  const parts = partsOf(value)
  if (!parts) {
    const parsed = parseGraph(value)
    const errors = parsed.ok ? [] : parsed.errors
    const problems = errors.map(({ path, message }) => finder(path)('block', 'schema', '', message))
    return { graph: null, problems }
  }
  const tooMany = countProblems(value as { nodes: unknown[]; edges: unknown[] })
  if (tooMany.length > 0) return { graph: null, problems: tooMany }
  const { nodes, edges, broken } = parts
  const bytes = jsonBytes(value)
  const message = `is ${megabytes(bytes)}, more than ${megabytes(MAX_GRAPH_BYTES)}`
  const tooLarge = bytes > MAX_GRAPH_BYTES ? [finder('')('block', 'graph_too_large', '', message)] : []
  const blocking = [
    ...tooLarge,
    ...parts.problems,
    ...checkNodes(nodes, broken, types),
    ...checkEdges(edges, nodes, broken, types),
    ...checkConfigs(nodes, types, resources),
  ]
  if (parts.problems.length > 0) return { graph: null, problems: blocking }
  const graph = { nodes: nodes.map(({ item }) => item), edges: edges.map(({ item }) => item) }
  return { graph, problems: [...blocking, ...flowProblems(graph, nodes, types)] }
}

/** Too many nodes or edges are not looked at one by one. */
function countProblems({ nodes, edges }: { nodes: unknown[]; edges: unknown[] }): GraphProblem[] {
  const tooMany = (list: string, count: number, limit: number) =>
    count > limit ? [finder(list)('block', 'schema', '', `must have at most ${limit} items`)] : []
  return [...tooMany('nodes', nodes.length, MAX_NODES), ...tooMany('edges', edges.length, MAX_EDGES)]
}

function flowProblems(graph: Graph, nodes: readonly Placed<GraphNode>[], types: NodeTypes): GraphProblem[] {
  const compiled = compileGraph(graph, types)
  const effort = { left: FULL_EFFORT }
  const paths = new Map(nodes.map(({ item, path }) => [item.id, path]))
  const pathOf = (node: FlowNode) => paths.get(node.id) ?? ''
  const tokens = [...compiled.nodes.values()].flatMap((node) =>
    checkTokens(node, pathOf(node), compiled, effort),
  )
  return [...checkFlow(compiled, pathOf, effort), ...tokens]
}
