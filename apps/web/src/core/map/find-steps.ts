import type { GraphNode } from '@troupe/graph'

/** The ids of steps whose name, id or type contains a text, in the order of a list of ids; none for an empty text. */
export function findSteps(
  nodes: ReadonlyMap<string, Pick<GraphNode, 'id' | 'name' | 'type'>>,
  order: readonly string[],
  text: string,
): string[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  return order.filter((id) => {
    const node = nodes.get(id)
    return (
      node !== undefined && [node.name, node.id, node.type].some((one) => one.toLowerCase().includes(wanted))
    )
  })
}
