/** A segment between a vertex and one of the next layer. */
export interface Segment {
  upper: number
  lower: number
  /** Its weight of straightness. */
  weight: number
}

/** For each vertex its segments upwards and downwards. */
export interface Links {
  up: readonly (readonly Segment[])[]
  down: readonly (readonly Segment[])[]
}

export function linksOf(count: number, segments: readonly Segment[]): Links {
  const up = Array.from({ length: count }, (): Segment[] => [])
  const down = Array.from({ length: count }, (): Segment[] => [])
  for (const segment of segments) {
    up[segment.lower]?.push(segment)
    down[segment.upper]?.push(segment)
  }
  return { up, down }
}

/** Sweeps over all layers to reduce crossings. */
const SWEEPS = 4

/**
 * Puts the vertices of each layer in an order with few crossings: first in the order of a walk along the branches, then
 * by the mean position of their neighbours, as long as that reduces crossings.
 *
 * @param layers the vertices of each layer; changed
 */
export function orderLayers(layers: number[][], links: Links): void {
  const place = new Float64Array(links.up.length)
  const remember = () => {
    for (const layer of layers) for (const [at, vertex] of layer.entries()) place[vertex] = at
  }
  walkOrder(layers, links)
  remember()
  let best = layers.map((layer) => [...layer])
  let fewest = crossings(layers, links, place)
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    const isDown = sweep % 2 === 0
    const order = isDown ? layers : [...layers].reverse()
    for (const layer of order) {
      const wanted = new Map(
        layer.map((vertex) => {
          const near = (isDown ? links.up : links.down)[vertex] ?? []
          const sum = near.reduce((all, { upper, lower }) => all + (place[isDown ? upper : lower] ?? 0), 0)
          return [vertex, near.length === 0 ? (place[vertex] ?? 0) : sum / near.length]
        }),
      )
      layer.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0))
      for (const [at, vertex] of layer.entries()) place[vertex] = at
    }
    const count = crossings(layers, links, place)
    if (count < fewest) {
      fewest = count
      best = layers.map((layer) => [...layer])
    }
  }
  for (const [at, layer] of best.entries()) layers[at]?.splice(0, layer.length, ...layer)
}

/** Trees come out without a crossing. */
function walkOrder(layers: number[][], { down }: Links): void {
  const met = new Float64Array(down.length).fill(-1)
  let time = 0
  const stack = layers.flat().reverse()
  for (let vertex = stack.pop(); vertex !== undefined; vertex = stack.pop()) {
    if ((met[vertex] ?? 0) >= 0) continue
    met[vertex] = time++
    const below = down[vertex] ?? []
    for (let at = below.length - 1; at >= 0; at--) {
      const { lower } = below[at] ?? { lower: -1 }
      if (lower >= 0 && (met[lower] ?? 0) < 0) stack.push(lower)
    }
  }
  for (const layer of layers) layer.sort((a, b) => (met[a] ?? 0) - (met[b] ?? 0))
}

/** The number of crossing pairs of segments: inversions, counted with a sum tree. */
function crossings(
  layers: readonly (readonly number[])[],
  { down }: Links,
  place: ArrayLike<number>,
): number {
  let found = 0
  for (const [at, layer] of layers.entries()) {
    const below = layers[at + 1]?.length ?? 0
    if (below === 0) continue
    const sums = new Uint32Array(below + 1)
    let passed = 0
    for (const vertex of layer) {
      const places = (down[vertex] ?? []).map(({ lower }) => place[lower] ?? 0)
      for (const one of places) {
        let atMost = 0
        for (let index = one + 1; index > 0; index -= index & -index) atMost += sums[index] ?? 0
        found += passed - atMost
      }
      for (const one of places) {
        passed += 1
        for (let index = one + 1; index <= below; index += index & -index)
          sums[index] = (sums[index] ?? 0) + 1
      }
    }
  }
  return found
}
