import type { Graph, GraphNode } from '../model/graph.ts'

/**
 * 64 bits of a text in two halves (FNV-1a with two bases): it detects changes, but is not secure against collisions.
 */
function hashOf(text: string): string {
  let [one, other] = [0x811c9dc5, 0x01000193]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x85ebca6b)
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}

/**
 * For each step of a graph, a hash of everything that determines its input: the types and settings of all steps before
 * it and of the Loops around it, with the edges between them. Renaming or moving steps, changing other steps, or
 * changing the step's own id does not affect it. Changing the id of an earlier step does, as it changes tokens. null if
 * the graph has no such step.
 *
 * Settings are serialized once for all steps, so many hashes of one graph cost little more than one.
 */
export function inputHashes({
  nodes,
  edges,
}: Pick<Graph, 'nodes' | 'edges'>): (nodeId: string) => string | null {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const incoming = Map.groupBy(edges, ({ target }) => target)
  const written = new Map<string, string>()
  const partOf = ({ id, type, config, disabled }: GraphNode) => {
    const known = written.get(id)
    if (known !== undefined) return known
    const part = hashOf(JSON.stringify([type, config, disabled === true]))
    written.set(id, part)
    return part
  }
  return (nodeId) => {
    if (!byId.has(nodeId)) return null
    const seen = new Set<string>()
    const parts: string[] = []
    const waiting = [nodeId]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const node = byId.get(id)
      if (!node || seen.has(id)) continue
      seen.add(id)
      if (id !== nodeId) parts.push(`${id} ${partOf(node)}`)
      if (node.parentId) waiting.push(node.parentId)
      for (const { source, sourceHandle } of incoming.get(id) ?? []) {
        parts.push(`${source} ${sourceHandle} ${id === nodeId ? '' : id}`)
        waiting.push(source)
      }
    }
    return hashOf(parts.toSorted().join('\n'))
  }
}
