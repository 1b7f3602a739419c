import type { Graph, GraphNode, NodeRole } from '@troupe/graph'

/** Marks a place without a next node. */
export const EXIT = ''

/** Properties of a node that its type determines. */
export interface NodeShape {
  role: NodeRole
  handles: readonly string[]
}

/** The reachable part of the root of a graph or of the body of a Loop. */
export interface OutlineFrame {
  /** The first nodes, in order, without those that wait for themselves. */
  entries: readonly string[]
  /** The node at which all paths from this node meet, or its only follower; EXIT when there is none. */
  nextOf(id: string): string
  /** The branches of a node; empty when it has one follower. */
  branchesOf(id: string): readonly { handle: string | null; targets: readonly string[] }[]
  /** The node at which all paths from all these nodes meet; EXIT when there is none. */
  meetingOf(ids: readonly string[]): string
}

interface Ways {
  /** By handle, in the order of the node type. */
  groups: { handle: string; targets: string[] }[]
  /** Every target once; EXIT for an unconnected handle beside connected ones. */
  all: string[]
}

/** The nodes of a graph by their Loop, and its edges by their source: one pass for all frames. */
export interface FramesOfGraph {
  nodesOf: ReadonlyMap<string | null, readonly GraphNode[]>
  edgesFrom: ReadonlyMap<string, Graph['edges']>
}

export function framesOfGraph({ nodes, edges }: Graph): FramesOfGraph {
  return {
    nodesOf: Map.groupBy(nodes, ({ parentId }) => parentId),
    edgesFrom: Map.groupBy(edges, ({ source }) => source),
  }
}

/** Reads a frame: `entries` are its triggers, or the targets of the handle `body` of the Loop. */
export function frameOf(
  { nodesOf, edgesFrom }: FramesOfGraph,
  loopId: string | null,
  entries: readonly GraphNode[],
  shapeOf: (node: GraphNode) => NodeShape,
): OutlineFrame {
  const own = new Map((nodesOf.get(loopId) ?? []).map((node) => [node.id, node]))
  const ways = new Map(
    [...own.values()].map((node) => {
      const outgoing = (edgesFrom.get(node.id) ?? []).filter(({ target }) => own.has(target))
      return [node.id, waysOf(outgoing, shapeOf(node))]
    }),
  )
  const order = orderOf(
    entries.filter(({ id }) => own.has(id)).map(({ id }) => id),
    ways,
  )
  const meeting = meetings(order, ways)
  const targetsOf = (targets: readonly string[]) => targets.filter((target) => order.has(target))
  return {
    entries: [...new Set(entries.map(({ id }) => id))].filter((id) => order.has(id)),
    nextOf: (id) => meeting.next.get(id) ?? EXIT,
    branchesOf(id) {
      const { groups = [], all = [] } = ways.get(id) ?? {}
      if (all.length <= 1) return []
      const isSingle = groups.length === 1
      return groups.map(({ handle, targets }) => ({
        handle: isSingle ? null : handle,
        targets: targetsOf(targets),
      }))
    },
    meetingOf: (ids) => ids.reduce((one, other) => meeting.of(one, other), ids[0] ?? EXIT),
  }
}

function waysOf(edges: Graph['edges'], { role, handles }: NodeShape): Ways {
  const byHandle = Map.groupBy(edges, ({ sourceHandle }) => sourceHandle)
  // A body is a frame of its own. An unknown handle is a finding, and is shown nevertheless.
  const names = [...new Set([...handles, ...byHandle.keys()])].filter(
    (handle) => role !== 'loop' || handle !== 'body',
  )
  const groups = names.map((handle) => ({
    handle,
    targets: (byHandle.get(handle) ?? []).map(({ target }) => target),
  }))
  const isChoice = groups.length > 1
  const all = groups.flatMap(({ targets }) => (targets.length === 0 && isChoice ? [EXIT] : targets))
  return { groups, all: [...new Set(all)] }
}

/** The reachable nodes, each after all of its predecessors. Nodes that wait for themselves are excluded. */
function orderOf(entries: readonly string[], ways: ReadonlyMap<string, Ways>): ReadonlyMap<string, number> {
  const targets = (id: string) => (ways.get(id)?.all ?? []).filter((target) => target !== EXIT)
  const incoming = new Map<string, number>()
  const found = new Set(entries)
  for (const id of found) {
    for (const target of targets(id)) {
      incoming.set(target, (incoming.get(target) ?? 0) + 1)
      found.add(target)
    }
  }
  const order = new Map<string, number>()
  const ready = entries.filter((id) => !incoming.has(id))
  for (const id of ready) {
    if (order.has(id)) continue
    order.set(id, order.size)
    for (const target of targets(id)) {
      const left = (incoming.get(target) ?? 0) - 1
      incoming.set(target, left)
      if (left === 0) ready.push(target)
    }
  }
  return order
}

/** A node on the chain of post-dominators: the next one, its distance from the exit, and one further along. */
interface Stop {
  next: string
  depth: number
  /** A jump pointer, so that any later node is reached in few steps. */
  jump: string
}

/** The immediate post-dominator of each node: the first node that all paths from it pass through. */
function meetings(order: ReadonlyMap<string, number>, ways: ReadonlyMap<string, Ways>) {
  const exit: Stop = { next: EXIT, depth: 0, jump: EXIT }
  const stops = new Map<string, Stop>()
  const stopOf = (id: string) => stops.get(id) ?? exit
  const next = new Map<string, string>()
  /** The first common node of both chains. Chains may be as long as the graph, so walking them step by step would be slow. */
  const of = (one: string, other: string): string => {
    let [a, b] = stopOf(one).depth < stopOf(other).depth ? [other, one] : [one, other]
    while (stopOf(a).depth > stopOf(b).depth) {
      const { jump, next: after } = stopOf(a)
      a = stopOf(jump).depth < stopOf(b).depth ? after : jump
    }
    while (a !== b) {
      const [from, to] = [stopOf(a), stopOf(b)]
      const isFurther = from.jump === to.jump
      a = isFurther ? from.next : from.jump
      b = isFurther ? to.next : to.jump
    }
    return a
  }
  for (const id of [...order.keys()].reverse()) {
    const all = (ways.get(id)?.all ?? []).filter((target) => target === EXIT || order.has(target))
    const [first = EXIT] = all
    const after = all.reduce(of, first)
    const { depth, jump } = stopOf(after)
    const further = stopOf(jump)
    const isEven = depth - further.depth === further.depth - stopOf(further.jump).depth
    stops.set(id, { next: after, depth: depth + 1, jump: isEven ? further.jump : after })
    next.set(id, after)
  }
  return { next, of }
}
