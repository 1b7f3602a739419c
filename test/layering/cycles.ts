/** The groups of nodes that reach each other (Tarjan's strongly connected components with more than one node). */
export function cycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const found: string[][] = []

  const visit = (node: string): number => {
    const own = index.size
    index.set(node, own)
    let lowest = own
    stack.push(node)
    onStack.add(node)
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) lowest = Math.min(lowest, visit(next))
      else if (onStack.has(next)) lowest = Math.min(lowest, index.get(next) ?? lowest)
    }
    low.set(node, lowest)
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(node))
      for (const member of group) onStack.delete(member)
      if (group.length > 1) found.push(group.sort())
    }
    return lowest
  }

  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return found
}
