import type { MapRect } from './camera.ts'
import type { MapBox } from './map-graph.ts'

/** Boxes as numbers, for a scan in every frame: x, y, right and lower side of each. */
export function rectsOf(boxes: readonly MapBox[]): Float64Array {
  const rects = new Float64Array(boxes.length * 4)
  for (const [at, { x, y, width, height }] of boxes.entries())
    rects.set([x, y, x + width, y + height], at * 4)
  return rects
}

/** The boxes that touch a rectangle, in order. */
export function boxesIn(rects: Float64Array, { x, y, width, height }: MapRect): number[] {
  const [right, bottom] = [x + width, y + height]
  const found: number[] = []
  for (let at = 0; at < rects.length; at += 4) {
    if ((rects[at] ?? 0) > right || (rects[at + 1] ?? 0) > bottom) continue
    if ((rects[at + 2] ?? 0) < x || (rects[at + 3] ?? 0) < y) continue
    found.push(at / 4)
  }
  return found
}

/** The innermost box at a point, because Loops precede their contents. null: none. */
export function boxAt(rects: Float64Array, x: number, y: number): number | null {
  for (let at = rects.length - 4; at >= 0; at -= 4) {
    const isIn =
      x >= (rects[at] ?? 0) &&
      y >= (rects[at + 1] ?? 0) &&
      x <= (rects[at + 2] ?? 0) &&
      y <= (rects[at + 3] ?? 0)
    if (isIn) return at / 4
  }
  return null
}
