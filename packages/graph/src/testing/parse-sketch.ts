import { compileGraph } from '../compile/compile-graph.ts'
import type { CompiledGraph } from '../compile/compiled-graph.ts'
import type { Graph } from '../model/graph.ts'
import { TEST_NODE_TYPES } from './node-types.ts'

const TYPES: Record<string, string> = {
  t: 'http-request',
  f: 'form-trigger',
  r: 'recurrence',
  i: 'if-else',
  l: 'loop',
  m: 'loop',
  n: 'note',
}

/**
 * Reads the graphs of the test vectors: `t→i, i.true→a, l.body→b(l), note n`. Certain letters stand for node types, all
 * others for nodes with one handle. Each chain of arrows is a row of the canvas.
 */
export function parseSketch(sketch: string): Graph {
  const graph: Graph = { nodes: [], edges: [] }
  const chains = sketch.split(', ').map((chain) => chain.replace(/^note /, '').split('→'))
  const parents = new Map(
    chains
      .flat()
      .flatMap((part) =>
        [...part.matchAll(/^(\w+)(?:\.\w+)?\((\w)\)/g)].map(([, id, parent]) => [id, parent]),
      ),
  )
  const add = (id: string, x: number, y: number) => {
    if (graph.nodes.some((node) => node.id === id)) return
    const type = TYPES[id] ?? 'edit-fields'
    graph.nodes.push({
      id,
      type,
      name: id.toUpperCase(),
      parentId: parents.get(id) ?? null,
      position: { x, y },
      config: {},
    })
  }
  for (const [y, chain] of chains.entries()) {
    const ends = chain.map((part) => {
      const [, id = '', handle] = /^(\w+)(?:\.(\w+))?/.exec(part) ?? []
      return { id, handle }
    })
    for (const [x, { id }] of ends.entries()) add(id, x, y)
    for (const [x, { id, handle = 'out' }] of ends.entries()) {
      const next = ends[x + 1]
      if (next)
        graph.edges.push({
          id: `${id}.${handle}-${next.id}`,
          source: id,
          sourceHandle: handle,
          target: next.id,
        })
    }
  }
  return graph
}

/** Compiles a sketch for execution. */
export function compileSketch(sketch: string): CompiledGraph {
  return compileGraph(parseSketch(sketch), TEST_NODE_TYPES)
}
