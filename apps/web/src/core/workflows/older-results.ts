import { isSameJson } from '@troupe/editor/values/json-path'
import type { Graph, GraphNode } from '@troupe/graph'

/**
 * The steps of a draft that are newer than their result in a tested graph: their settings, their connections or an earlier step
 * have changed since then. One pass over both graphs, because the canvas calls it after each edit for all steps.
 */
export function olderResults(tested: Graph, draft: Graph): ReadonlySet<string> {
  const former = new Map(tested.nodes.map((node) => [node.id, node]))
  const [waysBefore, waysNow] = [waysInto(tested), waysInto(draft)]
  const children = Map.groupBy(draft.nodes, ({ parentId }) => parentId)
  const following = Map.groupBy(draft.edges, ({ source }) => source)
  const parents = new Map(draft.nodes.map(({ id, parentId }) => [id, parentId]))
  const inputs = new Set<string>()
  const results = new Set<string>()
  const waiting: string[] = []
  const markInput = (id: string) => {
    if (inputs.has(id)) return
    inputs.add(id)
    markResult(id)
    // The steps of a Loop read the Loop's inputs.
    for (const child of children.get(id) ?? []) waiting.push(child.id)
  }
  const markResult = (id: string) => {
    if (results.has(id)) return
    results.add(id)
    for (const { target, sourceHandle } of following.get(id) ?? []) {
      if (sourceHandle !== 'body') waiting.push(target)
    }
    const parent = parents.get(id) ?? null
    if (parent !== null) markResult(parent)
  }
  for (const node of draft.nodes) {
    const before = former.get(node.id)
    if (before === undefined || !isSameJson(partOf(before), partOf(node))) {
      markResult(node.id)
      for (const child of children.get(node.id) ?? []) waiting.push(child.id)
    }
    const hasSameWays = (waysBefore.get(node.id) ?? '') === (waysNow.get(node.id) ?? '')
    if (before !== undefined && (!hasSameWays || before.parentId !== node.parentId)) markInput(node.id)
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) markInput(next)
  }
  return results
}

const partOf = ({ type, config, disabled }: GraphNode) => [type, config, disabled === true]

/** The connections into each step. */
function waysInto({ edges }: Graph): Map<string, string> {
  const groups = Map.groupBy(edges, ({ target }) => target)
  const wayOf = ({ source, sourceHandle }: Graph['edges'][number]) => `${source} ${sourceHandle}`
  return new Map([...groups].map(([target, into]) => [target, into.map(wayOf).toSorted().join(',')]))
}
