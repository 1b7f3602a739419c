import type { Camera, ScreenSize } from '../../core/map/camera.ts'
import { seenBy } from '../../core/map/camera.ts'
import { headHeight, type MapBox, type MapLayout, type MapRoute } from '../../core/map/map-graph.ts'
import { routeBetween } from '../../core/map/route-between.ts'
import { boxesIn, rectsOf } from '../../core/map/seen-boxes.ts'
import type { MapPoint } from '../../core/map/with-boxes-at.ts'
import {
  type BoxLook,
  HOLLOW_TONES,
  MAP_TONES,
  type MapColors,
  type MapLooks,
  type RouteLook,
} from './map-look.ts'

/** A layout with the data for a scan in every frame. */
export interface DrawnMap {
  layout: MapLayout
  rects: Float64Array
  routeRects: Float64Array
  looks: readonly BoxLook[]
  routeLooks: readonly RouteLook[]
  /** For each connection the line of its label, from 0 upwards. */
  wordLines: Uint8Array
  /** For each connection the places of its two boxes. */
  ends: Int32Array
}

/** From this zoom on boxes are drawn with their names, below it as rectangles of their state. */
const NAMES_ZOOM = 0.28
const WORDS_ZOOM = 0.45
/** When zoomed out, connections shorter than this many screen pixels are between adjacent boxes. */
const LEAST_LINE_PX = 3
const LINES_AT_ONCE = 100
const ARROW = 5
const RADIUS = 8

export function drawnMap(layout: MapLayout, looks: MapLooks): DrawnMap {
  const routeLooks = layout.routes.map((route) => looks.route(route))
  return {
    ...placesOf(layout),
    looks: layout.boxes.map(({ id }) => looks.box(id)),
    routeLooks,
    wordLines: wordLinesOf(layout.routes, routeLooks),
  }
}

type Places = Omit<DrawnMap, 'looks' | 'routeLooks' | 'wordLines'>

const PLACES = new WeakMap<MapLayout, Places>()

/** Computed once per layout: names and states of steps do not change positions. */
function placesOf(layout: MapLayout): Places {
  const known = PLACES.get(layout)
  if (known) return known
  const places = {
    layout,
    rects: rectsOf(layout.boxes),
    routeRects: routeRectsOf(layout.routes),
    ends: endsOf(layout),
  }
  PLACES.set(layout, places)
  return places
}

function endsOf({ boxes, routes }: MapLayout): Int32Array {
  const indexes = new Map(boxes.map(({ id }, at) => [id, at]))
  const ends = new Int32Array(routes.length * 2)
  for (const [at, { source, target }] of routes.entries()) {
    ends[at * 2] = indexes.get(source) ?? -1
    ends[at * 2 + 1] = indexes.get(target) ?? -1
  }
  return ends
}

function routeRectsOf(routes: readonly MapRoute[]): Float64Array {
  const rects = new Float64Array(routes.length * 4)
  for (const [at, { points }] of routes.entries()) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
    for (let index = 0; index < points.length; index += 2) {
      const [x = 0, y = 0] = [points[index], points[index + 1]]
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
    rects.set([left, top, right, bottom], at * 4)
  }
  return rects
}

export interface Drawing {
  map: DrawnMap
  camera: Camera
  screen: ScreenSize
  /** Pixels of the device per pixel of the page. */
  density: number
  colors: MapColors
  /** Boxes that are elements of the page: the elements show their names. */
  mounted: ReadonlySet<number>
  chosen: string | null
  /** Steps that are selected. */
  selected: ReadonlySet<string>
  /** The dragged boxes, and their offset. */
  drag: { boxes: ReadonlySet<number>; routes: readonly number[]; dx: number; dy: number } | null
  /** A connection that is being drawn. */
  line: { from: MapPoint; to: MapPoint; isRefused: boolean } | null
}

/** Draws the visible part: bodies of Loops, connections, steps. */
export function drawMap(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { map, camera, screen, density, colors } = drawing
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, context.canvas.width, context.canvas.height)
  const scale = camera.zoom * density
  context.setTransform(scale, 0, 0, scale, -camera.x * scale, -camera.y * scale)
  const seen = seenBy(camera, screen)
  const boxes = withDragged(boxesIn(map.rects, seen), drawing.drag?.boxes)
  const isNamed = camera.zoom >= NAMES_ZOOM
  for (const at of boxes) {
    const box = map.layout.boxes[at]
    if (box?.kind === 'loop') drawBody(context, dragged(box, at, drawing), colors, camera.zoom)
  }
  const routes = new Set([...boxesIn(map.routeRects, seen), ...(drawing.drag?.routes ?? [])])
  drawRoutes(context, drawing, [...routes])
  if (isNamed) for (const at of boxes) drawStep(context, drawing, at)
  else drawRectangles(context, drawing, boxes)
  drawPeople(context, drawing, boxes)
  drawLine(context, drawing)
}

function withDragged(seen: number[], boxes: ReadonlySet<number> | undefined): number[] {
  if (!boxes) return seen
  const all = new Set([...seen, ...boxes])
  return [...all].sort((one, other) => one - other)
}

/** The position of a box: offset while it is dragged. */
function dragged(box: MapBox, at: number, { drag }: Drawing): MapBox {
  return drag?.boxes.has(at) ? { ...box, x: box.x + drag.dx, y: box.y + drag.dy } : box
}

/** The points of a connection: those of one with a dragged end follow it. */
function pointsOf({ map: { layout, ends }, drag }: Drawing, at: number): readonly number[] {
  const route = layout.routes[at]
  if (!route) return []
  const [from, to] = [ends[at * 2] ?? -1, ends[at * 2 + 1] ?? -1]
  const [isFrom, isTo] = [drag?.boxes.has(from) ?? false, drag?.boxes.has(to) ?? false]
  if (!drag || !(isFrom || isTo)) return route.points
  const { dx, dy } = drag
  if (isFrom && isTo) return route.points.map((value, index) => value + (index % 2 === 0 ? dx : dy))
  const [source, target] = [layout.boxes[from], layout.boxes[to]]
  if (!source || !target) return route.points
  const port = (route.points[0] ?? 0) - source.x - source.width / 2
  const head = route.handle === 'body' ? { ...source, height: headHeight(source) } : source
  const moved = <Box extends MapBox>(box: Box, isMoved: boolean) =>
    isMoved ? { ...box, x: box.x + dx, y: box.y + dy } : box
  return routeBetween(moved(head, isFrom), moved(target, isTo), port)
}

function drawLine(context: CanvasRenderingContext2D, { line, colors, camera }: Drawing): void {
  if (!line) return
  const { from, to, isRefused } = line
  context.beginPath()
  traceRoute(context, [from.x, from.y, to.x, to.y], true)
  context.strokeStyle = isRefused ? colors.bad : colors.accent
  context.lineWidth = Math.max(2, 2 / camera.zoom)
  context.setLineDash(isRefused ? [6, 4] : [])
  context.stroke()
  context.setLineDash([])
}

function drawBody(context: CanvasRenderingContext2D, box: MapBox, colors: MapColors, zoom: number): void {
  context.beginPath()
  context.roundRect(box.x, box.y, box.width, box.height, RADIUS)
  context.fillStyle = colors.sunken
  context.fill()
  context.lineWidth = Math.max(1, 1 / zoom)
  context.strokeStyle = colors.line
  context.stroke()
}

function drawRoutes(context: CanvasRenderingContext2D, drawing: Drawing, seen: readonly number[]): void {
  const { map, camera, colors } = drawing
  const { zoom } = camera
  const isFine = zoom >= NAMES_ZOOM
  const styles = {
    open: { color: colors.strong, dash: [], width: 1.5 },
    taken: { color: colors.accent, dash: [], width: 2 },
    dead: { color: colors.strong, dash: [4, 4], width: 1.5 },
  } as const
  for (const state of ['open', 'dead', 'taken'] as const) {
    const { color, dash, width } = styles[state]
    const own = seen.filter((at) => map.routeLooks[at]?.state === state && (isFine || isLong(map, at, zoom)))
    if (own.length === 0) continue
    context.strokeStyle = color
    context.lineWidth = Math.max(width, 1 / zoom)
    context.setLineDash(isFine ? [...dash] : [])
    // One path of thousands of lines takes many times as long as many short ones.
    for (let from = 0; from < own.length; from += LINES_AT_ONCE) {
      context.beginPath()
      for (const at of own.slice(from, from + LINES_AT_ONCE)) {
        traceRoute(context, pointsOf(drawing, at), isFine)
      }
      context.stroke()
    }
    context.setLineDash([])
    if (!isFine) continue
    context.beginPath()
    for (const at of own) {
      const points = pointsOf(drawing, at)
      const [x = 0, y = 0] = points.slice(-2)
      const up = (points.at(-3) ?? 0) > y ? -1 : 1
      context.moveTo(x, y)
      context.lineTo(x - ARROW, y - ARROW * 1.4 * up)
      context.lineTo(x + ARROW, y - ARROW * 1.4 * up)
      context.closePath()
    }
    context.fillStyle = color
    context.fill()
  }
  if (zoom >= WORDS_ZOOM) drawWords(context, drawing, seen)
}

/** The labels of connections, with a halo in the background colour where they cross lines. */
function drawWords(context: CanvasRenderingContext2D, drawing: Drawing, seen: readonly number[]): void {
  const { map, camera, colors, chosen } = drawing
  const { boxes, routes } = map.layout
  // Larger at a small zoom, up to the size of the names of steps.
  context.font = `500 ${Math.min(13, Math.max(11, 11 / camera.zoom))}px ${FONT}`
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = 4
  for (const at of seen) {
    const word = map.routeLooks[at]?.word ?? ''
    if (word === '') continue
    const end = wordEnd(pointsOf(drawing, at))
    const x = end.isLeft ? end.x - context.measureText(word).width - WORD_GAP : end.x + WORD_GAP
    const y = end.y - WORD_LINE * (map.wordLines[at] ?? 0)
    const source = boxes[map.ends[at * 2] ?? -1]
    const isInLoop = (source?.depth ?? 0) > 0 || routes[at]?.handle === 'body'
    context.strokeStyle = isInLoop ? colors.sunken : colors.page
    context.strokeText(word, x, y)
    context.fillStyle = source !== undefined && source.id === chosen ? colors.text : colors.muted
    context.fillText(word, x, y)
  }
}

const WORD_GAP = 8
/** The distance from the middle of a label to the end of its connection. */
const WORD_RISE = 14
const WORD_LINE = 13
/** The number of label lines that fit between two steps. */
const MOST_WORD_LINES = 3

/** The anchor of a connection's label, and whether the label is to its left. */
function wordEnd(points: readonly number[]): MapPoint & { isLeft: boolean } {
  const [startX = 0, startY = 0, , bendY = 0, turnX = 0, turnY = 0] = points
  // The label of a connection that leads back up is below its line, close to the source.
  if (points.length > 4 && bendY === turnY) {
    return { x: startX, y: turnY + WORD_RISE - 2, isLeft: turnX < startX }
  }
  // At the first bend, on the far side of the connection.
  const end = points.length > 4 && points[0] === points[2] ? 4 : 2
  const [x = 0, y = 0] = points.slice(end)
  // In a narrow gap, the label is in the middle.
  const middle = (y + (points[end - 1] ?? startY)) / 2
  return { x, y: Math.max(y - WORD_RISE, middle), isLeft: x < startX }
}

/** The line of each connection's label, from 0 upwards: labels at the same place are stacked. */
function wordLinesOf(routes: readonly MapRoute[], looks: readonly RouteLook[]): Uint8Array {
  const counts = new Map<string, number>()
  return Uint8Array.from(routes, ({ points }, at) => {
    if (looks[at]?.word === '') return 0
    const { x, y, isLeft } = wordEnd(points)
    const key = `${x} ${y} ${isLeft}`
    const line = counts.get(key) ?? 0
    counts.set(key, line + 1)
    return Math.min(line, MOST_WORD_LINES - 1)
  })
}

function isLong({ routeRects }: DrawnMap, at: number, zoom: number): boolean {
  const [left = 0, top = 0, right = 0, bottom = 0] = routeRects.subarray(at * 4, at * 4 + 4)
  return (right - left + bottom - top) * zoom >= LEAST_LINE_PX
}

const FONT = '"Inter Variable", system-ui, sans-serif'

function traceRoute(context: CanvasRenderingContext2D, points: readonly number[], isFine: boolean): void {
  let [x = 0, y = 0] = points
  context.moveTo(x, y)
  for (let at = 2; at < points.length; at += 2) {
    const [nextX = 0, nextY = 0] = [points[at], points[at + 1]]
    const middle = (y + nextY) / 2
    if (!isFine || x === nextX) context.lineTo(nextX, nextY)
    else context.bezierCurveTo(x, middle, nextX, middle, nextX, nextY)
    x = nextX
    y = nextY
  }
}

function drawStep(context: CanvasRenderingContext2D, drawing: Drawing, at: number): void {
  const { map, colors, mounted, chosen, selected, camera } = drawing
  const placed = map.layout.boxes[at]
  const look = map.looks[at]
  if (!placed || !look) return
  const box = dragged(placed, at, drawing)
  const height = headHeight(box)
  context.beginPath()
  if (mounted.has(at)) {
    // Its element is above it. It is drawn too, without an edge, for the frame in which the element appears
    // or disappears.
    context.roundRect(box.x + 1, box.y + 1, box.width - 2, height - 2, RADIUS)
    context.fillStyle = colors.panel
    context.fill()
    return
  }
  context.roundRect(box.x, box.y, box.width, height, RADIUS)
  context.fillStyle = colors.panel
  context.fill()
  const isChosen = box.id === chosen || selected.has(box.id)
  context.strokeStyle = isChosen ? colors.accent : look.tone === 'neutral' ? colors.strong : colors[look.tone]
  context.lineWidth = isChosen ? 2 : Math.max(1, 0.7 / camera.zoom)
  context.setLineDash(HOLLOW_TONES.has(look.tone) ? [4, 3] : [])
  context.stroke()
  context.setLineDash([])
  context.textBaseline = 'middle'
  context.font = `500 13px ${FONT}`
  context.fillStyle = HOLLOW_TONES.has(look.tone) ? colors.muted : colors.text
  context.fillText(look.name.slice(0, 26), box.x + 14, box.y + height / 2, box.width - 44)
  if (look.sign === '') return
  context.fillStyle = colors[look.tone]
  context.font = `700 15px ${FONT}`
  context.fillText(look.sign, box.x + box.width - 24, box.y + height / 2)
}

/** Initials at the corners of boxes that are not elements of the page, of the same size at every zoom. */
function drawPeople(context: CanvasRenderingContext2D, drawing: Drawing, seen: readonly number[]): void {
  const { map, colors, camera, mounted } = drawing
  const px = 1 / camera.zoom
  context.font = `600 ${11 * px}px ${FONT}`
  context.textBaseline = 'middle'
  for (const at of seen) {
    const people = map.looks[at]?.people ?? ''
    const placed = map.layout.boxes[at]
    if (people === '' || !placed || mounted.has(at)) continue
    const box = dragged(placed, at, drawing)
    const width = Math.max(20 * px, context.measureText(people).width + 10 * px)
    const [x, y] = [box.x + box.width - width + 6 * px, box.y - 12 * px]
    context.beginPath()
    context.roundRect(x, y, width, 20 * px, 10 * px)
    context.fillStyle = colors.panel
    context.fill()
    context.lineWidth = 2 * px
    context.strokeStyle = colors.accent
    context.stroke()
    context.fillStyle = colors.text
    context.fillText(people, x + (width - context.measureText(people).width) / 2, y + 10 * px)
  }
}

/**
 * Zoomed out: filled by state, hollow when skipped or removed, so that states differ without colours, too.
 */
function drawRectangles(context: CanvasRenderingContext2D, drawing: Drawing, seen: readonly number[]): void {
  const { map, colors, camera, chosen, selected } = drawing
  for (const tone of MAP_TONES) {
    const own = seen.filter((at) => map.looks[at]?.tone === tone && map.layout.boxes[at]?.kind !== 'loop')
    if (own.length === 0) continue
    const color = tone === 'neutral' ? colors.strong : colors[tone]
    context.fillStyle = color
    context.strokeStyle = color
    context.lineWidth = 1 / camera.zoom
    for (const at of own) {
      const placed = map.layout.boxes[at]
      if (!placed) continue
      const { x, y, width, height } = dragged(placed, at, drawing)
      // At least a pixel, so that states remain visible when zoomed out.
      const [across, down] = [Math.max(width, 1 / camera.zoom), Math.max(height, 1 / camera.zoom)]
      if (HOLLOW_TONES.has(tone)) context.strokeRect(x, y, across, down)
      else context.fillRect(x, y, across, down)
    }
  }
  context.strokeStyle = colors.accent
  context.lineWidth = 3 / camera.zoom
  const [known] = selected.size > 0 ? [selected] : chosen === null ? [] : [new Set([chosen])]
  for (const [at, placed] of known ? map.layout.boxes.entries() : []) {
    if (!known?.has(placed.id)) continue
    const box = dragged(placed, at, drawing)
    context.strokeRect(box.x, box.y, box.width, box.height)
  }
}
