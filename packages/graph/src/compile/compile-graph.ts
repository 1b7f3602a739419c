import type { Graph, GraphEdge, GraphNode } from '../model/graph.ts'
import type { NodeType, NodeTypes } from '../model/node-types.ts'
import type { CompiledGraph, FlowEdge, FlowNode, Level } from './compiled-graph.ts'
import { edgeFault } from './edge-fault.ts'
import { inFlowOrder } from './flow-order.ts'
import { unreachableNodes } from './unreachable.ts'

type Draft<T> = { -readonly [K in keyof T]: T[K] }
interface DraftLevel extends Level {
  nodes: DraftNode[]
  entries: Set<number>
}
interface DraftNode extends Draft<FlowNode> {
  level: DraftLevel
  out: FlowEdge[]
  incoming: FlowEdge[]
}

/** Bodies nested deeper than this are omitted; publishing has a far lower limit. */
const MAX_DEPTH = 64

/** Placeholder for an unknown node type, which publishing refuses. */
const UNKNOWN: NodeType = { role: 'pure', handles: () => ['out'] }

/** A disabled node reads nothing, does nothing, and takes the first handle of its type. The body of a Loop is omitted with it. */
function disabledFacts(type: NodeType, config: Record<string, unknown>): NodeType {
  if (type.role === 'note') return type
  const first = type.handles(config).find((handle) => handle !== 'body')
  const handles = first === undefined ? [] : [first]
  return { role: 'pure', handles: () => handles }
}

/** The nodes by parent Loop; a node whose parent is not a Loop belongs to the root. */
function byParent(nodes: ReadonlyMap<string, GraphNode>, types: NodeTypes): Map<string | null, GraphNode[]> {
  const found = new Map<string | null, GraphNode[]>()
  for (const node of nodes.values()) {
    const parent = node.parentId === null ? undefined : nodes.get(node.parentId)
    const key = parent && types.get(parent.type)?.role === 'loop' ? parent.id : null
    const siblings = found.get(key)
    if (siblings) siblings.push(node)
    else found.set(key, [node])
  }
  return found
}

/** The edges that runs follow, without duplicates and faulty edges. */
function soundEdges(
  edges: readonly GraphEdge[],
  nodes: ReadonlyMap<string, GraphNode>,
  types: NodeTypes,
): GraphEdge[] {
  const seen = new Set<string>()
  return edges.filter((edge) => {
    const key = `${edge.source} ${edge.target} ${edge.sourceHandle}`
    if (seen.has(key) || edgeFault(edge, nodes, types)) return false
    seen.add(key)
    return true
  })
}

/**
 * Prepares a graph for execution. Expects a graph that `validateGraph` does not block; from any other it omits what
 * cannot be executed: faulty and duplicate edges, nodes with a duplicate id, bodies that contain themselves.
 */
export function compileGraph(graph: Graph, types: NodeTypes): CompiledGraph {
  const given = new Map<string, GraphNode>()
  for (const node of graph.nodes) if (!given.has(node.id)) given.set(node.id, node)
  const children = byParent(given, types)
  const edges = soundEdges(graph.edges, given, types)
  const outgoing = Map.groupBy(edges, ({ source }) => source)
  const nodes = new Map<string, DraftNode>()

  const compileLevel = (loop: DraftNode | null, depth: number): DraftLevel => {
    const level: DraftLevel = { loop, nodes: [], entries: new Set() }
    if (depth > MAX_DEPTH) return level
    for (const node of inFlowOrder(children.get(loop?.id ?? null) ?? [], outgoing)) {
      const ofType = types.get(node.type) ?? UNKNOWN
      const isDisabled = node.disabled === true && ofType.role !== 'trigger'
      const facts = isDisabled ? disabledFacts(ofType, node.config) : ofType
      if (facts.role === 'note') continue
      const compiled: DraftNode = {
        id: node.id,
        name: node.name,
        type: node.type,
        config: node.config,
        role: facts.role,
        facts,
        handles: facts.handles(node.config),
        isDisabled,
        order: nodes.size,
        slot: level.nodes.length,
        level,
        body: null,
        out: [],
        incoming: [],
      }
      nodes.set(node.id, compiled)
      level.nodes.push(compiled)
      if (facts.role === 'loop') compiled.body = compileLevel(compiled, depth + 1)
    }
    return level
  }
  const root = compileLevel(null, 0)

  for (const edge of edges) {
    const source = nodes.get(edge.source)
    const target = nodes.get(edge.target)
    if (!source || !target) continue
    if (target.level !== source.level) {
      target.level.entries.add(target.slot)
      continue
    }
    const flow = { handle: edge.sourceHandle, source, target }
    source.out.push(flow)
    target.incoming.push(flow)
  }
  for (const node of nodes.values()) node.out.sort((a, b) => a.target.order - b.target.order)

  const triggers = root.nodes.filter((node) => node.role === 'trigger')
  const levels = [root, ...[...nodes.values()].flatMap((node) => node.body ?? [])]
  return { types, nodes, root, triggers, unreachable: levels.flatMap(unreachableNodes) }
}
