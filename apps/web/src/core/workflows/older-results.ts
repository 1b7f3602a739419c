import { isSameJson } from '@troupe/editor/values/json-path'
import { type Graph, type GraphNode, inputHashes } from '@troupe/graph'

/** Whether the result of a step in `tested` is older than the step in `draft`: its settings, or a step before it, were changed since. */
export function olderResults(tested: Graph, draft: Graph): (nodeId: string) => boolean {
  const former = new Map(tested.nodes.map((node) => [node.id, node]))
  const current = new Map(draft.nodes.map((node) => [node.id, node]))
  const [before, now] = [inputHashes(tested), inputHashes(draft)]
  const known = new Map<string, boolean>()
  return (nodeId) => {
    const found = known.get(nodeId)
    if (found !== undefined) return found
    const [one, other] = [former.get(nodeId), current.get(nodeId)]
    const isOlder =
      !one || !other || !isSameJson(partOf(one), partOf(other)) || before(nodeId) !== now(nodeId)
    known.set(nodeId, isOlder)
    return isOlder
  }
}

const partOf = ({ type, config, disabled }: GraphNode) => [type, config, disabled === true]
