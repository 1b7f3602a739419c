/** A node of a test's graph; its name is its id. */
export function node(id: string, type: string, config: object = {}, parentId?: string) {
  return { id, type, name: id, position: { x: 0, y: 0 }, config, ...(parentId && { parentId }) }
}

/** An edge from `out`, or from another handle. */
export function edge(source: string, target: string, sourceHandle = 'out') {
  return { id: `${source}-${sourceHandle}-${target}`, source, sourceHandle, target }
}
