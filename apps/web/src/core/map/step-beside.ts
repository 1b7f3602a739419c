import type { MapBox, MapLayout } from './map-graph.ts'

export type MapDirection = 'up' | 'down' | 'left' | 'right'

const middle = ({ x, y, width, height }: MapBox) => ({ x: x + width / 2, y: y + Math.min(height, 56) / 2 })

/**
 * The target of an arrow key from a step: down and up along the first connection, into the body of a Loop and out of it; sideways,
 * and without a connection, the nearest step in that direction. null: none.
 */
export function stepBeside(layout: MapLayout, from: string, direction: MapDirection): string | null {
  const boxes = new Map(layout.boxes.map((box) => [box.id, box]))
  const box = boxes.get(from)
  if (!box) return null
  if (direction === 'down' || direction === 'up') {
    const ways = layout.routes.filter(
      ({ source, target }) => (direction === 'down' ? source : target) === from,
    )
    // Into the body, before the steps after the Loop.
    const first = ways.find(({ handle }) => handle === 'body') ?? ways[0]
    if (first) return direction === 'down' ? first.target : first.source
  }
  const start = middle(box)
  let nearest: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const other of layout.boxes) {
    if (other.id === from) continue
    const { x, y } = middle(other)
    const [dx, dy] = [x - start.x, y - start.y]
    const [along, across] = {
      right: [dx, dy],
      left: [-dx, dy],
      down: [dy, dx],
      up: [-dy, dx],
    }[direction] as [number, number]
    const far = along + 2 * Math.abs(across)
    if (along > 1 && far < least) {
      least = far
      nearest = other.id
    }
  }
  return nearest
}
