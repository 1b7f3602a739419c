import type { FlowNode, Level } from './compiled-graph.ts'

/** Nodes of one level in insertion order; an iteration includes nodes that are added during it. */
export class NodeSet {
  readonly #has: Uint8Array
  readonly #nodes: FlowNode[] = []

  constructor(level: Level) {
    this.#has = new Uint8Array(level.nodes.length)
  }

  has(node: FlowNode): boolean {
    return this.#has[node.slot] === 1
  }

  add(node: FlowNode): void {
    if (this.has(node)) return
    this.#has[node.slot] = 1
    this.#nodes.push(node)
  }

  [Symbol.iterator](): Iterator<FlowNode> {
    return this.#nodes[Symbol.iterator]()
  }
}
