/**
 * A connection as an SVG path, the way the canvas draws it up close: straight where it stays on its side, curved where it changes sides.
 *
 * @param points x and y of at least two points
 */
export function routePath(points: readonly number[]): string {
  let [x = 0, y = 0] = points
  let path = `M${x} ${y}`
  for (let at = 2; at < points.length; at += 2) {
    const [nextX = 0, nextY = 0] = [points[at], points[at + 1]]
    const middle = (y + nextY) / 2
    path += x === nextX ? `L${nextX} ${nextY}` : `C${x} ${middle} ${nextX} ${middle} ${nextX} ${nextY}`
    x = nextX
    y = nextY
  }
  return path
}
