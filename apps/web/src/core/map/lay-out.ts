import {
  GAP_X,
  GAP_Y,
  LOOP_HEAD,
  LOOP_PADDING as PADDING,
  STEP_HEIGHT,
  STEP_WIDTH,
} from '@troupe/editor/layout/step-size'
import { spread } from './isotonic.ts'
import { layersOf } from './layers.ts'
import type { MapBox, MapGraph, MapLayout, MapRoute, PlacedEdge, PlacedNode } from './map-graph.ts'
import { type Links, linksOf, orderLayers, type Segment } from './order-layers.ts'
import { portOffset, routeBetween } from './route-between.ts'

/** Space for a connection that passes a layer. */
const LANE = 20
/** Connections that pass more layers in total are drawn straight, across other steps. */
const MOST_LANES = 60_000
/** The weight of straightness for parts of one connection. */
const STRAIGHT = 4
const PLACEMENTS = 6

/** The size of a frame, with the origin of its content. */
interface Frame {
  /** For manual layouts: the origin of its steps' positions in the frame. */
  anchor: { x: number; y: number } | null
  width: number
  height: number
  boxes: MapBox[]
  routes: MapRoute[]
}

/**
 * Lays out the steps of a graph from top to bottom: each below its predecessors, branches side by side, Loops around their bodies,
 * notes on the right. In a manually laid out level, steps keep their positions. Bodies that contain themselves are placed in the
 * root. The work grows with the number of nodes, edges and layers passed by edges, of which there are at most {@link MOST_LANES}.
 */
export function layOut({ nodes, edges }: MapGraph): MapLayout {
  const children = childrenOf(nodes)
  const frames = new Map<string | null, string | null>()
  for (const [loop, inside] of children) for (const { id } of inside) frames.set(id, loop)
  const inner = Map.groupBy(
    edges.filter(({ source, target }) => {
      return source !== target && frames.has(source) && frames.get(source) === frames.get(target)
    }),
    ({ source }) => frames.get(source) ?? null,
  )
  const entries = Map.groupBy(
    edges.filter(({ source, target }) => frames.get(target) === source),
    ({ source }) => source,
  )
  const budget = { lanes: MOST_LANES }
  const place = (loop: string | null, depth: number): Frame => {
    const own = children.get(loop) ?? []
    const bodies = new Map(
      own.flatMap((node) => (node.kind === 'loop' ? [[node.id, place(node.id, depth + 1)] as const] : [])),
    )
    const edges = inner.get(loop) ?? []
    return own.some(({ position }) => position)
      ? placedFrame(own, edges, bodies, depth)
      : placeFrame(own, edges, bodies, depth, budget)
  }
  const root = place(null, 0)
  const [x, y] = [0 - (root.anchor?.x ?? 0), 0 - (root.anchor?.y ?? 0)]
  const boxes = x === 0 && y === 0 ? root.boxes : root.boxes.map((box) => shifted(box, x, y))
  const routes = root.routes.map((route) => ({ ...route, points: moved(route.points, x, y) }))
  return {
    boxes,
    routes: [...routes, ...entryRoutes(boxes, entries)],
    ...{ x, y, width: root.width, height: root.height },
  }
}

/** The nodes by their surrounding Loop; unreachable ones belong to the root. */
function childrenOf(nodes: readonly PlacedNode[]): Map<string | null, PlacedNode[]> {
  const kinds = new Map(nodes.map(({ id, kind }) => [id, kind]))
  const parentOf = ({ parentId }: PlacedNode) =>
    parentId !== null && kinds.get(parentId) === 'loop' ? parentId : null
  const given = Map.groupBy(nodes, parentOf)
  const found = new Set<PlacedNode>(given.get(null) ?? [])
  for (const { id } of found) for (const node of given.get(id) ?? []) found.add(node)
  return Map.groupBy(nodes, (node) => (found.has(node) ? parentOf(node) : null))
}

function placeFrame(
  own: readonly PlacedNode[],
  edges: readonly PlacedEdge[],
  bodies: ReadonlyMap<string, Frame>,
  depth: number,
  budget: { lanes: number },
): Frame {
  const steps = own.filter(({ kind }) => kind !== 'note')
  const notes = own.filter(({ kind }) => kind === 'note')
  const sizes = steps.map(({ id, kind }) => sizeOf(kind === 'loop' ? bodies.get(id) : undefined))
  const index = new Map(steps.map(({ id }, at) => [id, at]))
  const known = edges.filter(({ source, target }) => index.has(source) && index.has(target))
  const from = known.map(({ source }) => index.get(source) ?? 0)
  const to = known.map(({ target }) => index.get(target) ?? 0)
  const { layerOf, isBackward } = layersOf({ count: steps.length, from, to })

  // Connections that pass layers get a lane in each of them.
  const layers: number[][] = []
  const widths = sizes.map(({ width }) => width)
  const heights = sizes.map(({ height }) => height)
  for (const [at, layer] of layerOf.entries()) {
    while (layers.length <= layer) layers.push([])
    layers[layer]?.push(at)
  }
  const segments: Segment[] = []
  const ways: number[][] = []
  for (const [arc, start] of from.entries()) {
    const [upper, lower] = isBackward[arc] ? [to[arc] ?? 0, start] : [start, to[arc] ?? 0]
    const passed = (layerOf[lower] ?? 0) - (layerOf[upper] ?? 0) - 1
    const way = [upper]
    if (passed > 0 && passed <= budget.lanes) {
      budget.lanes -= passed
      for (let lane = 1; lane <= passed; lane++) {
        way.push(widths.length)
        layers[(layerOf[upper] ?? 0) + lane]?.push(widths.length)
        widths.push(LANE)
        heights.push(0)
      }
    }
    way.push(lower)
    ways.push(way)
    const isDirect = way.length > 2 || passed === 0
    for (let at = 1; isDirect && at < way.length; at++) {
      segments.push({ upper: way[at - 1] ?? 0, lower: way[at] ?? 0, weight: way.length > 2 ? STRAIGHT : 1 })
    }
  }
  const links = linksOf(widths.length, segments)
  orderLayers(layers, links)
  const centers = placeAcross(layers, links, widths)

  const tops: number[] = []
  const bottoms: number[] = []
  let y = 0
  for (const layer of layers) {
    const height = layer.reduce((most, vertex) => Math.max(most, heights[vertex] ?? 0), 0)
    tops.push(y)
    bottoms.push(y + height)
    y += height + GAP_Y
  }
  const left = centers.reduce(
    (least, center, at) => Math.min(least, center - (widths[at] ?? 0) / 2),
    Number.POSITIVE_INFINITY,
  )
  const shift = Number.isFinite(left) ? -left : 0
  const boxes: MapBox[] = []
  const routes: MapRoute[] = []
  let width = 0
  for (const [at, { id, kind }] of steps.entries()) {
    const size = sizes[at] ?? sizeOf(undefined)
    const x = Math.round((centers[at] ?? 0) + shift - size.width / 2)
    const top = tops[layerOf[at] ?? 0] ?? 0
    width = Math.max(width, x + size.width)
    putBox({ boxes, routes }, { id, kind, depth, x, y: top, ...size }, bodies.get(id))
  }
  const ports = portsOf(steps, known)
  const boxAt = new Map(boxes.map((box) => [box.id, box]))
  for (const [arc, edge] of known.entries()) {
    const way = ways[arc] ?? []
    const points: number[] = []
    for (const [at, vertex] of way.entries()) {
      const isFirst = at === 0
      const isLast = at === way.length - 1
      const layer = vertex < steps.length ? (layerOf[vertex] ?? 0) : (layerOf[way[0] ?? 0] ?? 0) + at
      const x = Math.round((centers[vertex] ?? 0) + shift)
      const port = isFirst && !isBackward[arc] ? (ports[arc] ?? 0) : 0
      if (!isFirst) points.push(x, tops[layer] ?? 0)
      if (isLast) continue
      const box = isFirst ? boxAt.get(steps[vertex]?.id ?? '') : undefined
      // From a low box beside a tall one, straight down before it turns.
      if (box) points.push(x + port, box.y + box.height)
      if (!box || box.y + box.height < (bottoms[layer] ?? 0)) points.push(x + port, bottoms[layer] ?? 0)
    }
    routes.push({ ...edge, points: isBackward[arc] ? reversed(points) : points })
  }
  const height = Math.max(0, y - GAP_Y)
  return withNotes({ anchor: null, width, height, boxes, routes }, notes, depth)
}

/** A box, and its contents if it is a Loop. */
function putBox(
  { boxes, routes }: Pick<Frame, 'boxes' | 'routes'>,
  box: MapBox,
  body: Frame | undefined,
): void {
  if (box.kind !== 'loop') return void boxes.push(box)
  const { x, y, width } = box
  const anchor = { x: x + (body?.anchor?.x ?? 0), y: y + (body?.anchor?.y ?? 0) }
  boxes.push({ ...box, anchor })
  if (!body) return
  const dx = body.anchor ? x : x + (width - body.width) / 2
  const dy = body.anchor ? y : y + LOOP_HEAD + PADDING
  for (const one of body.boxes) boxes.push(shifted(one, dx, dy))
  for (const route of body.routes) routes.push({ ...route, points: moved(route.points, dx, dy) })
}

function shifted(box: MapBox, dx: number, dy: number): MapBox {
  const { x, y, anchor } = box
  return {
    ...box,
    ...{ x: x + dx, y: y + dy },
    ...(anchor ? { anchor: { x: anchor.x + dx, y: anchor.y + dy } } : {}),
  }
}

/**
 * A manually laid out level. The frame of a Loop grows to all sides around its steps, so it has a separate anchor. Steps without a
 * position are placed below their first predecessor, or below everything.
 */
function placedFrame(
  own: readonly PlacedNode[],
  edges: readonly PlacedEdge[],
  bodies: ReadonlyMap<string, Frame>,
  depth: number,
): Frame {
  const level: Pick<Frame, 'boxes' | 'routes'> = { boxes: [], routes: [] }
  const tops = new Map<string, MapBox>()
  const put = ({ id, kind, size }: PlacedNode, position: { x: number; y: number }) => {
    const body = kind === 'loop' ? bodies.get(id) : undefined
    const { x, y } = position
    // A position is that of the anchor, which does not move when the frame grows to the left.
    const at = { x: x - (body?.anchor?.x ?? 0), y: y - (body?.anchor?.y ?? 0) }
    const box: MapBox = { id, kind, depth, ...at, ...(size ?? sizeOf(body)) }
    tops.set(id, box)
    putBox(level, box, body)
  }
  for (const node of own) if (node.position) put(node, node.position)
  let below = [...tops.values()].reduce((most, { y, height }) => Math.max(most, y + height), 0)
  const leads = new Map(edges.map(({ source, target }) => [target, source]))
  for (const node of own) {
    if (node.position) continue
    const from = tops.get(leads.get(node.id) ?? '')
    put(node, { x: from?.x ?? 0, y: below + GAP_Y })
    below += GAP_Y + (tops.get(node.id)?.height ?? 0)
  }
  const ports = portsOf(own, edges)
  for (const [arc, edge] of edges.entries()) {
    const [from, to] = [tops.get(edge.source), tops.get(edge.target)]
    if (from && to) level.routes.push({ ...edge, points: routeBetween(from, to, ports[arc] ?? 0) })
  }
  const all = [...tops.values()]
  const isBody = depth > 0
  const pad = isBody ? PADDING : 0
  const head = isBody ? LOOP_HEAD : 0
  const least = (values: number[], start: number) => values.reduce((a, b) => Math.min(a, b), start)
  const most = (values: number[], start: number) => values.reduce((a, b) => Math.max(a, b), start)
  const start = isBody ? 0 : Number.POSITIVE_INFINITY
  const left = least(
    all.map(({ x }) => x - pad),
    start,
  )
  const top = least(
    all.map(({ y }) => y - pad - head),
    start,
  )
  const right = most(
    all.map(({ x, width }) => x + width + pad),
    isBody ? left + STEP_WIDTH : left,
  )
  const bottom = most(
    all.map(({ y, height }) => y + height + pad),
    isBody ? top + LOOP_HEAD : top,
  )
  return {
    anchor: { x: -left, y: -top },
    width: right - left,
    height: bottom - top,
    boxes: level.boxes.map((box) => shifted(box, -left, -top)),
    routes: level.routes.map((route) => ({ ...route, points: moved(route.points, -left, -top) })),
  }
}

function sizeOf(body: Frame | undefined): { width: number; height: number } {
  if (!body || body.boxes.length === 0) return { width: STEP_WIDTH, height: STEP_HEIGHT }
  if (body.anchor) return { width: body.width, height: body.height }
  return {
    width: Math.max(STEP_WIDTH, body.width) + 2 * PADDING,
    height: LOOP_HEAD + body.height + 2 * PADDING,
  }
}

/**
 * Centres of all vertices: alternately at the mean of their predecessors and at the mean of their successors.
 */
function placeAcross(
  layers: readonly (readonly number[])[],
  { up, down }: Links,
  widths: readonly number[],
): number[] {
  const centers = new Array<number>(widths.length).fill(0)
  for (const layer of layers) {
    let x = 0
    for (const vertex of layer) {
      const half = (widths[vertex] ?? 0) / 2
      centers[vertex] = x + half
      x += 2 * half + GAP_X
    }
  }
  const settle = (
    layer: readonly number[],
    near: (vertex: number) => readonly { vertex: number; weight: number }[],
  ) => {
    const wanted: number[] = []
    const weights: number[] = []
    const gaps: number[] = []
    for (const [at, vertex] of layer.entries()) {
      const before = layer[at - 1]
      gaps.push(before === undefined ? 0 : ((widths[before] ?? 0) + (widths[vertex] ?? 0)) / 2 + GAP_X)
      let sum = 0
      let weight = 0
      for (const one of near(vertex)) {
        sum += (centers[one.vertex] ?? 0) * one.weight
        weight += one.weight
      }
      wanted.push(weight === 0 ? (centers[vertex] ?? 0) : sum / weight)
      weights.push(weight === 0 ? 0.1 : weight)
    }
    for (const [at, center] of spread(wanted, weights, gaps).entries()) centers[layer[at] ?? 0] = center
  }
  const above = (vertex: number) => (up[vertex] ?? []).map(({ upper, weight }) => ({ vertex: upper, weight }))
  const below = (vertex: number) =>
    (down[vertex] ?? []).map(({ lower, weight }) => ({ vertex: lower, weight }))
  for (let time = 0; time < PLACEMENTS; time++) {
    if (time % 2 === 0) for (const layer of layers) settle(layer, above)
    else for (const layer of [...layers].reverse()) settle(layer, below)
  }
  for (const layer of layers) settle(layer, (vertex) => [...above(vertex), ...below(vertex)])
  return centers
}

/** The offset of each connection from the middle of its source: different handles are side by side. */
function portsOf(nodes: readonly PlacedNode[], edges: readonly PlacedEdge[]): number[] {
  const handles = new Map(
    nodes.map(({ id, handles: own = [] }) => [id, own.filter((handle) => handle !== 'body')]),
  )
  for (const { source, handle } of edges) {
    const known = handles.get(source) ?? []
    if (!known.includes(handle)) handles.set(source, [...known, handle])
  }
  return edges.map(({ source, handle }) => portOffset(handles.get(source) ?? [], handle))
}

/** From the head of a Loop to the first steps of its body. */
function entryRoutes(
  boxes: readonly MapBox[],
  entries: ReadonlyMap<string, readonly PlacedEdge[]>,
): MapRoute[] {
  const known = new Map(boxes.map((box) => [box.id, box]))
  return [...entries.values()].flat().flatMap((edge) => {
    const [loop, box] = [known.get(edge.source), known.get(edge.target)]
    if (!loop || !box) return []
    return [{ ...edge, points: [loop.x + loop.width / 2, loop.y + LOOP_HEAD, box.x + box.width / 2, box.y] }]
  })
}

function withNotes(frame: Frame, notes: readonly PlacedNode[], depth: number): Frame {
  if (notes.length === 0) return frame
  const x = frame.width === 0 ? 0 : frame.width + GAP_X
  let [y, width] = [0, STEP_WIDTH]
  const boxes = notes.map(({ id, kind, size = { width: STEP_WIDTH, height: STEP_HEIGHT } }): MapBox => {
    const box = { id, kind, depth, x, y, ...size }
    y += size.height + GAP_X
    width = Math.max(width, size.width)
    return box
  })
  return {
    anchor: null,
    boxes: [...frame.boxes, ...boxes],
    routes: frame.routes,
    width: x + width,
    height: Math.max(frame.height, y - GAP_X),
  }
}

function moved(points: readonly number[], dx: number, dy: number): number[] {
  return points.map((value, at) => value + (at % 2 === 0 ? dx : dy))
}

function reversed(points: readonly number[]): number[] {
  const found: number[] = []
  for (let at = points.length - 2; at >= 0; at -= 2) found.push(points[at] ?? 0, points[at + 1] ?? 0)
  return found
}
