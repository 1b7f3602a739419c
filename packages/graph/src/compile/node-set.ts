import type { FlowNode, Level } from './compiled-graph.ts'

/** Nodes of one level in the order in which they came; who goes through them meets those that are added meanwhile. */
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
