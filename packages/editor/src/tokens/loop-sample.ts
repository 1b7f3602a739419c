import { type Graph, type GraphNode, type NodeType, resolveValue } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { type RunSample, scopeOf } from './run-sample.ts'

/**
 * The values of a run with the item and the index of the innermost Loop that a step is in; without them if the Loop's
 * list is unknown, or has no such item.
 *
 * @param path of the iteration, as `loop1[3]/inner[0]`; Loops without an entry are in their first iteration
 */
export function inIteration(sample: RunSample, graph: Graph, node: GraphNode, path: string): RunSample {
  const indexes = new Map(path.split('/').flatMap(readSegment))
  const { loop: _none, ...outside } = sample
  let inside: RunSample = outside
  for (const loop of loopsAround(graph, node)) {
    const index = indexes.get(loop.id) ?? 0
    const item = itemOf(loop, index, inside)
    if (item === undefined) return outside
    inside = { ...outside, loop: { item, index } }
  }
  return inside
}

function readSegment(segment: string): [string, number][] {
  const [, id, index] = /^(.+)\[(\d+)\]$/.exec(segment) ?? []
  return id === undefined || index === undefined ? [] : [[id, Number(index)]]
}

/** The Loops around a step, outermost first. One that repeats while a condition holds is in its own iterations. */
function loopsAround({ nodes }: Graph, node: GraphNode): GraphNode[] {
  const byId = new Map(nodes.map((one) => [one.id, one]))
  const facts: NodeType | undefined = NODE_TYPES.get(node.type)
  const found: GraphNode[] = facts?.repeatsWhile?.(node.config) ? [node] : []
  const seen = new Set(found)
  for (let at = byId.get(node.parentId ?? ''); at && !seen.has(at); at = byId.get(at.parentId ?? '')) {
    seen.add(at)
    found.unshift(at)
  }
  return found
}

/** undefined: unknown. Only a list has items; otherwise the item is the index. */
function itemOf({ config }: GraphNode, index: number, around: RunSample): unknown {
  if (config.mode !== 'list') return index
  const list = resolveValue(config.source, scopeOf(around))
  return list.ok && Array.isArray(list.value) ? list.value[index] : undefined
}
