import { type Checked, Expose, jsonBytes, propertyOf, validator } from '@troupe/contract'
import { compileGraph } from '../compile/compile-graph.ts'
import type { FlowNode } from '../compile/compiled-graph.ts'
import { type Effort, FULL_EFFORT } from '../compile/effort.ts'
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
import type { NodeTypes } from '../model/node-types.ts'
import { megabytes } from '../model/output-sizes.ts'
import { checkConfigs, type ResourceLookup } from './check-configs.ts'
import { checkEdges } from './check-edges.ts'
import { checkFlow } from './check-flow.ts'
import { checkNodes } from './check-nodes.ts'
import { checkTokens } from './check-tokens.ts'
import { finder, type GraphProblem, type Placed } from './graph-problem.ts'
import type { Steps } from './steps.ts'
import { triggerReads } from './trigger-fields.ts'

const checkExpose = validator(Expose)

/** A graph with all its findings. `graph` is null when its shape is wrong. */
export interface ValidatedGraph {
  graph: Graph | null
  /** In the order of the checks: blocking findings first, then errors and warnings. */
  problems: GraphProblem[]
}

/** The well-formed parts of a graph, with the ids of the malformed nodes. */
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

/** Checks the items of a list one by one, so that a failing item does not hide the others. */
function* readItems<T>(
  list: 'nodes' | 'edges',
  items: readonly unknown[],
  parse: (value: unknown, prefix: string) => Checked<T>,
): Steps<{ sound: Placed<T>[]; broken: Set<string>; problems: GraphProblem[] }> {
  const sound: Placed<T>[] = []
  const broken = new Set<string>()
  const problems: GraphProblem[] = []
  for (const [index, item] of items.entries()) {
    yield
    const path = `${list}.${index}`
    const parsed = parse(item, path)
    if (parsed.ok) {
      sound.push({ item: parsed.value, path })
      continue
    }
    const id = idOf(item)
    if (id !== null) broken.add(id)
    const ids = list === 'nodes' ? ([id, null] as const) : ([null, id] as const)
    for (const error of parsed.errors) {
      problems.push(finder(error.path, ...ids)('block', 'schema', '', error.message))
    }
  }
  return { sound, broken, problems }
}

/** The lists of an untrusted value; null when it has no such lists to check. */
function listsOf(value: unknown): { nodes: unknown[]; edges: unknown[] } | null {
  const { nodes, edges } = (value ?? {}) as { nodes?: unknown; edges?: unknown }
  return Array.isArray(nodes) && Array.isArray(edges) ? { nodes, edges } : null
}

function* partsOf(lists: { nodes: unknown[]; edges: unknown[] }): Steps<Parts> {
  const nodes = yield* readItems('nodes', lists.nodes, parseNode)
  const edges = yield* readItems('edges', lists.edges, parseEdge)
  return {
    nodes: nodes.sound,
    edges: edges.sound,
    broken: nodes.broken,
    problems: [...nodes.problems, ...edges.problems],
  }
}

/**
 * Returns all problems of a graph in one pass. Publishing is blocked by problems of shape, ids, names, bodies, edges,
 * triggers, configs and the resources they name. Nodes that can never run, unresolvable tokens and warnings do not
 * block; they are only checked if the shape is right.
 *
 * @param resources Status of agents, teams and LLM configurations; by default all are usable.
 */
export function validateGraph(value: unknown, types: NodeTypes, resources?: ResourceLookup): ValidatedGraph {
  const steps = validateGraphInSteps(value, types, resources)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/**
 * `validateGraph` in steps of some milliseconds, for callers that yield to other work in between: a graph of 4 MB takes
 * a second in total.
 */
export function* validateGraphInSteps(
  value: unknown,
  types: NodeTypes,
  resources: ResourceLookup = () => 'usable',
): Steps<ValidatedGraph> {
  const lists = listsOf(value)
  if (!lists) {
    const parsed = parseGraph(value)
    const errors = parsed.ok ? [] : parsed.errors
    const problems = errors.map(({ path, message }) => finder(path)('block', 'schema', '', message))
    return { graph: null, problems }
  }
  const tooMany = countProblems(lists)
  if (tooMany.length > 0) return { graph: null, problems: tooMany }
  const parts = yield* partsOf(lists)
  const { nodes, edges, broken } = parts
  const bytes = jsonBytes(value)
  const exposed = checkExpose(propertyOf(value, 'expose') ?? null)
  const message = `is ${megabytes(bytes)}, more than ${megabytes(MAX_GRAPH_BYTES)}`
  const tooLarge = bytes > MAX_GRAPH_BYTES ? [finder('')('block', 'graph_too_large', '', message)] : []
  const blocking = [
    ...tooLarge,
    ...parts.problems,
    ...(exposed.ok
      ? []
      : exposed.errors.map((error) => finder('expose')('block', 'schema', '', error.message))),
    ...checkNodes(nodes, broken, types),
    ...checkEdges(edges, nodes, broken, types),
    ...(yield* checkConfigs(nodes, types, resources)),
  ]
  if (parts.problems.length > 0 || !exposed.ok) return { graph: null, problems: blocking }
  const graph: Graph = {
    nodes: nodes.map(({ item }) => item),
    edges: edges.map(({ item }) => item),
    ...(exposed.value && { expose: exposed.value }),
  }
  return { graph, problems: [...blocking, ...(yield* flowProblems(graph, nodes, types))] }
}

/** A graph with too many nodes or edges is not checked item by item. */
function countProblems({ nodes, edges }: { nodes: unknown[]; edges: unknown[] }): GraphProblem[] {
  const tooMany = (list: string, count: number, limit: number) =>
    count > limit ? [finder(list)('block', 'schema', '', `must have at most ${limit} items`)] : []
  return [...tooMany('nodes', nodes.length, MAX_NODES), ...tooMany('edges', edges.length, MAX_EDGES)]
}

function* flowProblems(
  graph: Graph,
  nodes: readonly Placed<GraphNode>[],
  types: NodeTypes,
): Steps<GraphProblem[]> {
  const compiled = compileGraph(graph, types)
  const reads = triggerReads(compiled)
  const effort = { left: FULL_EFFORT }
  const paths = new Map(nodes.map(({ item, path }) => [item.id, path]))
  const pathOf = (node: FlowNode) => paths.get(node.id) ?? ''
  const tokens: GraphProblem[] = []
  for (const node of compiled.nodes.values()) {
    yield
    tokens.push(...checkTokens(node, pathOf(node), compiled, effort, reads))
  }
  return [...(yield* checkFlow(compiled, pathOf, effort, reads)), ...tokens, ...unchecked(effort)]
}

/** A warning is needed: checks that were skipped because the budget was used up must not count as passed. */
function unchecked(effort: Effort): GraphProblem[] {
  if (effort.left > 0) return []
  const message =
    'is too large to be checked completely: steps that may be skipped and variables that are written at the same time may be missing from this list'
  return [finder('')('warning', 'not_fully_checked', '', message)]
}
