/** A place in a picture: percent of the width, pixels from the top. */
export interface Spot {
  x: number
  y: number
}

/** A cubic Bézier curve: where it starts, its two handles, where it ends. */
export type Curve = readonly [Spot, Spot, Spot, Spot]

export function reversed([start, first, second, end]: Curve): Curve {
  return [end, second, first, start]
}

/** The `d` of an SVG path, in a box as wide as 100 units. */
export function curvePath([start, first, second, end]: Curve): string {
  return `M${start.x} ${start.y}C${first.x} ${first.y} ${second.x} ${second.y} ${end.x} ${end.y}`
}

/** Places along a curve, its start and its end among them. */
export function spotsAlong([start, first, second, end]: Curve, count: number): Spot[] {
  return Array.from({ length: count }, (_, index) => {
    const t = index / (count - 1)
    const weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3]
    const at = (axis: 'x' | 'y') =>
      [start, first, second, end].reduce((sum, spot, place) => sum + spot[axis] * (weights[place] ?? 0), 0)
    return { x: at('x'), y: at('y') }
  })
}
