/** A frame as numbers: vertices and the edges between them. */
export interface Arcs {
  /** Number of vertices. */
  count: number
  /** Pairs of vertices, without loops at one vertex; in the order of branches. */
  from: readonly number[]
  to: readonly number[]
}

/** The layers of a frame from top to bottom. */
export interface Layering {
  /** The layer of each vertex. */
  layerOf: readonly number[]
  /** For each edge whether it leads upwards, because it closes a cycle. */
  isBackward: readonly boolean[]
}

/**
 * A layer for each vertex, below all that lead to it: the longest path from the top. Edges that close a cycle are
 * reversed.
 */
export function layersOf({ count, from, to }: Arcs): Layering {
  const outgoing = outgoingOf(count, from)
  const { finished, isBackward } = searched(count, outgoing, from, to)
  const layerOf = new Array<number>(count).fill(0)
  const lower = (vertex: number, least: number) => {
    if ((layerOf[vertex] ?? 0) < least) layerOf[vertex] = least
  }
  // The reverse of the order in which a search leaves vertices has every vertex after those that lead to it.
  for (const vertex of finished.reverse()) {
    for (const arc of outgoing[vertex] ?? []) {
      if (!isBackward[arc]) lower(to[arc] ?? 0, (layerOf[vertex] ?? 0) + 1)
    }
  }
  return { layerOf, isBackward }
}

/** For each vertex its edges in order. */
function outgoingOf(count: number, from: readonly number[]): number[][] {
  const found = Array.from({ length: count }, (): number[] => [])
  for (const [arc, vertex] of from.entries()) found[vertex]?.push(arc)
  return found
}

const NEW = 0
const OPEN = 1
const DONE = 2

/** A depth-first search with an explicit stack: chains are as long as graphs. */
function searched(count: number, outgoing: number[][], from: readonly number[], to: readonly number[]) {
  const state = new Uint8Array(count)
  const next = new Uint32Array(count)
  const isBackward = new Array<boolean>(from.length).fill(false)
  const finished: number[] = []
  const isEntered = new Uint8Array(count)
  for (const vertex of to) isEntered[vertex] = 1
  const follow = (start: number) => {
    const stack = [start]
    state[start] = OPEN
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const arc = outgoing[top]?.[next[top] ?? 0]
      if (arc === undefined) {
        state[top] = DONE
        finished.push(top)
        stack.pop()
        continue
      }
      next[top] = (next[top] ?? 0) + 1
      const target = to[arc] ?? 0
      if (state[target] === OPEN) isBackward[arc] = true
      else if (state[target] === NEW) {
        state[target] = OPEN
        stack.push(target)
      }
    }
  }
  for (let vertex = 0; vertex < count; vertex++)
    if (!isEntered[vertex] && state[vertex] === NEW) follow(vertex)
  for (let vertex = 0; vertex < count; vertex++) if (state[vertex] === NEW) follow(vertex)
  return { finished, isBackward }
}
