/** A node of a parsed program. `start` is its offset in the source, in UTF-16 units. */
export interface Tree {
  type: string
  start: number
  [part: string]: unknown
}

/** Calls `see` with every node at and below a node or a list of nodes, parents first. */
export function visit(node: unknown, see: (tree: Tree) => void): void {
  if (Array.isArray(node)) for (const child of node) visit(child, see)
  else if (typeof node === 'object' && node !== null) {
    if (isTree(node)) see(node)
    for (const child of Object.values(node)) visit(child, see)
  }
}

/** Whether a value is a node of a parsed program. */
export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** The nodes in a list; none for another value. */
export const trees = (value: unknown): Tree[] => (Array.isArray(value) ? value.filter(isTree) : [])

/** The text of an identifier; empty for another node. */
export function nameOf(name: unknown): string {
  return typeof name === 'object' && name !== null && 'name' in name ? String(name.name) : ''
}
