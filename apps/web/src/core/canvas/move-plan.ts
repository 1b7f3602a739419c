import type { DraftReader } from '@troupe/editor/document/draft-document'
import { isPlaced } from '@troupe/editor/layout/placed-level'
import type { GraphNode } from '@troupe/graph'
import type { MapBox, MapLayout } from '../map/map-graph.ts'
import type { MapPoint } from '../map/with-boxes-at.ts'

const GRID = 8

/**
 * The positions to store for moved steps. At the first move in a level all of its steps get their drawn positions, so that only the
 * moved ones move.
 *
 * @param places new upper left corners on the canvas
 * @returns positions relative to the origin of each step's level
 */
export function movePlan(
  reader: DraftReader,
  { boxes }: MapLayout,
  places: ReadonlyMap<string, MapPoint>,
): Map<string, GraphNode['position']> {
  const known = new Map(boxes.map((box) => [box.id, box]))
  const moved = new Map([...places].flatMap(([id, place]) => (reader.node(id) ? [[id, place] as const] : [])))
  const levels = new Set([...moved.keys()].map((id) => reader.node(id)?.parentId ?? null))
  const positions = new Map<string, GraphNode['position']>()
  for (const parentId of levels) {
    const level = reader.childrenOf(parentId)
    const isByHand = isPlaced(level.map(({ position }) => position))
    const stays = ({ id }: GraphNode) => !known.has(id) || (isByHand && !moved.has(id))
    const taken = new Set(level.filter(stays).map(({ position }) => keyOf(position)))
    for (const node of level) {
      const box = known.get(node.id)
      if (!box || stays(node)) continue
      const position = positionIn(known.get(parentId ?? ''), box, moved.get(node.id) ?? box)
      // Two steps at one position would look like automatic layout.
      while (taken.has(keyOf(position))) position.x += GRID
      taken.add(keyOf(position))
      positions.set(node.id, position)
    }
  }
  return positions
}

/** Positions in a frame that steps are moved into, for those with known positions on the canvas. */
export function framePlan(
  { boxes }: MapLayout,
  places: ReadonlyMap<string, MapPoint>,
  frame: string | null,
): Map<string, GraphNode['position']> {
  const known = new Map(boxes.map((box) => [box.id, box]))
  return new Map(
    [...places].flatMap(([id, place]) => {
      const box = known.get(id)
      return box ? [[id, positionIn(known.get(frame ?? ''), box, place)] as const] : []
    }),
  )
}

/** From the beginning of its level; a Loop is placed by its anchor, which does not move when it grows to the left. */
function positionIn(loop: MapBox | undefined, box: MapBox, place: MapPoint): GraphNode['position'] {
  const from = loop?.anchor ?? { x: 0, y: 0 }
  const [left, above] = [(box.anchor?.x ?? box.x) - box.x, (box.anchor?.y ?? box.y) - box.y]
  return { x: Math.round(place.x + left - from.x), y: Math.round(place.y + above - from.y) }
}

function keyOf({ x, y }: GraphNode['position']): string {
  return `${x} ${y}`
}
