import type { MapLayout } from './map-graph.ts'
import { boxesIn } from './seen-boxes.ts'
import type { MapPoint } from './with-boxes-at.ts'

/** The number of segments of a curve for measuring distances. */
const PARTS = 12

/** The points along a connection as it is drawn: curves where it changes sides, straight lines elsewhere. */
export function pointsAlong(points: readonly number[]): MapPoint[] {
  const along: MapPoint[] = [{ x: points[0] ?? 0, y: points[1] ?? 0 }]
  for (let at = 2; at < points.length; at += 2) {
    const [x = 0, y = 0, nextX = 0, nextY = 0] = points.slice(at - 2, at + 2)
    const parts = x === nextX || y === nextY ? 1 : PARTS
    for (let part = 1; part <= parts; part++) {
      const t = part / parts
      // A cubic curve with its control points at half the height.
      const across = 3 * t * t - 2 * t * t * t
      const down = 1.5 * t * (1 - t) + t * t * t
      const straight = parts === 1 ? t : down
      along.push({ x: x + (nextX - x) * (parts === 1 ? t : across), y: y + (nextY - y) * straight })
    }
  }
  return along
}

/** The middle of a connection, where its buttons are. */
export function middleOf(points: readonly number[]): MapPoint {
  const along = pointsAlong(points)
  const lengths = along
    .slice(1)
    .map(({ x, y }, at) => Math.hypot(x - (along[at]?.x ?? 0), y - (along[at]?.y ?? 0)))
  let left = lengths.reduce((sum, one) => sum + one, 0) / 2
  for (const [at, length] of lengths.entries()) {
    const [from, to] = [along[at], along[at + 1]]
    if (left <= length && from && to) {
      const part = length === 0 ? 0 : left / length
      return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
    }
    left -= length
  }
  return along.at(-1) ?? { x: 0, y: 0 }
}

/** The nearest connection within a distance of a point; null: none. */
export function routeAt(
  { routes }: MapLayout,
  routeRects: Float64Array,
  { x, y }: MapPoint,
  within: number,
): number | null {
  const near = boxesIn(routeRects, { x: x - within, y: y - within, width: 2 * within, height: 2 * within })
  let [found, least]: [number | null, number] = [null, within]
  for (const at of near) {
    const along = pointsAlong(routes[at]?.points ?? [])
    for (const [part, to] of along.entries()) {
      const from = along[part - 1]
      const far = from ? distance({ x, y }, from, to) : Number.POSITIVE_INFINITY
      if (far < least) [found, least] = [at, far]
    }
  }
  return found
}

function distance(point: MapPoint, from: MapPoint, to: MapPoint): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const part = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length
  const t = Math.min(1, Math.max(0, part))
  return Math.hypot(point.x - from.x - dx * t, point.y - from.y - dy * t)
}
