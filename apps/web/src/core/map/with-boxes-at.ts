import { LOOP_HEAD } from '@troupe/editor/layout/step-size'
import type { MapBox, MapLayout } from './map-graph.ts'
import { routeBetween } from './route-between.ts'

/** A point of the map. */
export interface MapPoint {
  x: number
  y: number
}

/** The places of boxes in the list, with the contents of Loops: Loops come before their steps. */
export function withBodies(layout: MapLayout, ids: Iterable<string>): Set<number> {
  const wanted = new Set(ids)
  const found = new Set<number>()
  let depth = Number.POSITIVE_INFINITY
  for (const [at, box] of layout.boxes.entries()) {
    if (box.depth <= depth) depth = Number.POSITIVE_INFINITY
    if (box.depth > depth) found.add(at)
    else if (wanted.has(box.id)) {
      found.add(at)
      if (box.kind === 'loop') depth = box.depth
    }
  }
  return found
}

/**
 * A layout with some moved boxes and their connections: the preview of a drag until the next layout.
 *
 * @param places new upper left corners
 */
export function withBoxesAt(layout: MapLayout, places: ReadonlyMap<string, MapPoint>): MapLayout {
  if (places.size === 0) return layout
  const shifts = new Map<number, MapPoint>()
  for (const [at, box] of layout.boxes.entries()) {
    const place = places.get(box.id)
    if (!place) continue
    const shift = { x: place.x - box.x, y: place.y - box.y }
    if (shift.x === 0 && shift.y === 0) continue
    for (const inside of withBodies(layout, [box.id])) if (!shifts.has(inside)) shifts.set(inside, shift)
    shifts.set(at, shift)
  }
  if (shifts.size === 0) return layout
  const boxes = layout.boxes.map((box, at): MapBox => {
    const shift = shifts.get(at)
    if (!shift) return box
    const anchor = box.anchor && { x: box.anchor.x + shift.x, y: box.anchor.y + shift.y }
    return { ...box, x: box.x + shift.x, y: box.y + shift.y, ...(anchor ? { anchor } : {}) }
  })
  const indexes = new Map(layout.boxes.map(({ id }, at) => [id, at]))
  const routes = layout.routes.map((route) => {
    const [from, to] = [indexes.get(route.source) ?? -1, indexes.get(route.target) ?? -1]
    const [source, target, before] = [boxes[from], boxes[to], layout.boxes[from]]
    if (!(shifts.has(from) || shifts.has(to)) || !source || !target || !before) return route
    if (route.handle === 'body') return { ...route, points: bodyWay(source, target) }
    const port = (route.points[0] ?? 0) - before.x - before.width / 2
    return { ...route, points: routeBetween(source, target, port) }
  })
  return { ...layout, boxes, routes }
}

function bodyWay(loop: MapBox, first: MapBox): number[] {
  return [loop.x + loop.width / 2, loop.y + LOOP_HEAD, first.x + first.width / 2, first.y]
}
