import { isShown } from '@troupe/contract'
import type { GraphNode } from '../model/graph.ts'
import type { NodeTypes } from '../model/node-types.ts'
import { finder, type GraphProblem, type Placed } from './graph-problem.ts'

/** Maximum nesting of Loops. */
const MAX_LOOP_DEPTH = 8

/** The second and later items with the same key. */
function repeated<T>(items: readonly Placed<T>[], keyOf: (item: T) => string): Placed<T>[] {
  const seen = new Set<string>()
  return items.filter(({ item }) => seen.size === seen.add(keyOf(item)).size)
}

/** Number of Loops that enclose a node; exceeds the limit when bodies contain themselves. */
function depthOf(node: GraphNode, byId: ReadonlyMap<string, GraphNode>): number {
  let depth = 0
  for (let at = node; at.parentId !== null && depth <= MAX_LOOP_DEPTH; depth++) {
    const parent = byId.get(at.parentId)
    if (!parent) break
    at = parent
  }
  return depth
}

/** Steps towards the root in a search for a cycle: without a limit, a chain of thousands of Loops would take quadratic time. */
const MAX_CYCLE = 64

/** Whether the Loops around a node contain themselves. */
function isInCycle(node: GraphNode, byId: ReadonlyMap<string, GraphNode>): boolean {
  const seen = new Set<string>()
  for (let at: GraphNode | undefined = node; at && seen.size < MAX_CYCLE; at = byId.get(at.parentId ?? '')) {
    if (seen.has(at.id)) return true
    seen.add(at.id)
  }
  return false
}

function checkPlace(
  { item: node, path }: Placed<GraphNode>,
  byId: ReadonlyMap<string, GraphNode>,
  broken: ReadonlySet<string>,
  types: NodeTypes,
): GraphProblem[] {
  const problem = finder(path, node.id)
  if (node.parentId === null || broken.has(node.parentId)) return []
  const parent = byId.get(node.parentId)
  const role = types.get(node.type)?.role
  if (!parent)
    return [problem('block', 'unknown_parent', 'parentId', `names an unknown node: ${node.parentId}`)]
  const parentRole = types.get(parent.type)?.role
  if (parentRole !== undefined && parentRole !== 'loop') {
    return [problem('block', 'unknown_parent', 'parentId', `${parent.id} is not a Loop`)]
  }
  if (role === 'trigger') {
    return [problem('block', 'trigger_in_body', 'parentId', 'a trigger cannot be in the body of a Loop')]
  }
  const isTooDeep = depthOf(node, byId) + (role === 'loop' ? 1 : 0) > MAX_LOOP_DEPTH
  if (!isTooDeep) return []
  const message = isInCycle(node, byId)
    ? 'the Loop would contain itself'
    : `Loops nest at most ${MAX_LOOP_DEPTH} deep`
  return [problem('block', 'nested_too_deep', 'parentId', message)]
}

function checkTriggers(
  nodes: readonly Placed<GraphNode>[],
  isWhole: boolean,
  types: NodeTypes,
): GraphProblem[] {
  const triggers = nodes.filter(({ item }) => types.get(item.type)?.role === 'trigger')
  if (triggers.length === 0 && isWhole) {
    return [finder('')('block', 'no_trigger', 'nodes', 'must have a trigger')]
  }
  const single = triggers.filter(({ item }) => types.get(item.type)?.trigger !== 'recurrence')
  return repeated(single, ({ type }) => type).map(({ item, path }) =>
    finder(path, item.id)('block', 'too_many_triggers', 'type', `there can be only one ${item.type}`),
  )
}

/**
 * Problems of the nodes, except those of their configs. `broken` are the ids of malformed nodes: they are missing from
 * `nodes`, and no problem is reported that one of them may resolve.
 */
export function checkNodes(
  nodes: readonly Placed<GraphNode>[],
  broken: ReadonlySet<string>,
  types: NodeTypes,
): GraphProblem[] {
  const byId = new Map(nodes.map(({ item }) => [item.id, item]))
  return [
    ...repeated(nodes, ({ id }) => id).map(({ item, path }) =>
      finder(path, item.id)('block', 'duplicate_node_id', 'id', `another node has the id ${item.id}`),
    ),
    ...repeated(nodes, ({ name }) => name).map(({ item, path }) =>
      finder(path, item.id)(
        'block',
        'duplicate_node_name',
        'name',
        `another node has the name "${item.name}"`,
      ),
    ),
    // Graphs that earlier versions published may have one, which must not prevent publishing again.
    ...nodes
      .filter(({ item }) => !isShown(item.name))
      .map(({ item, path }) =>
        finder(path, item.id)('warning', 'blank_node_name', 'name', 'has no character that can be seen'),
      ),
    ...nodes
      .filter(({ item }) => !types.get(item.type))
      .map(({ item, path }) =>
        finder(path, item.id)('block', 'unknown_node_type', 'type', `is not a node type: ${item.type}`),
      ),
    ...checkTriggers(nodes, broken.size === 0, types),
    ...nodes
      .filter(({ item }) => item.disabled && types.get(item.type)?.role === 'trigger')
      .map(({ item, path }) =>
        finder(path, item.id)('block', 'disabled_trigger', 'disabled', 'a trigger cannot be disabled'),
      ),
    ...nodes.flatMap((node) => checkPlace(node, byId, broken, types)),
  ]
}
