import { LOOP_HEAD } from '@troupe/editor/layout/step-size'

/** A step to place: the layout's view of a node, so that a worker gets no settings. */
export interface PlacedNode {
  id: string
  /** The Loop of its body; null in the root. */
  parentId: string | null
  kind: 'step' | 'loop' | 'note'
  /**
   * The outgoing handles in order, each with its position on the lower side; absent: those used by connections.
   */
  handles?: readonly string[]
  /** Its manual position, relative to its Loop or the map; absent: automatic layout. */
  position?: { x: number; y: number }
  /** Its own size; absent: that of its kind. */
  size?: { width: number; height: number }
}

/** A connection to draw. `body` leads from a Loop into its frame. */
export interface PlacedEdge {
  source: string
  handle: string
  target: string
}

/** A graph as the layout sees it. The order of edges is the order of branches from left to right. */
export interface MapGraph {
  nodes: readonly PlacedNode[]
  edges: readonly PlacedEdge[]
}

/** The place of a step, in pixels at zoom 1, from the left upper corner of the map. */
export interface MapBox {
  id: string
  kind: PlacedNode['kind']
  /** Loops around it. */
  depth: number
  x: number
  y: number
  width: number
  height: number
  /** Of a Loop: the point of the map that positions of its steps are measured from. */
  anchor?: { x: number; y: number }
}

/** The way of a connection. */
export interface MapRoute extends PlacedEdge {
  /** x and y of at least two points, from the source to the target. */
  points: readonly number[]
}

/** A drawn graph. */
export interface MapLayout {
  /** A Loop precedes its contents. */
  boxes: readonly MapBox[]
  routes: readonly MapRoute[]
  /** The left upper corner: not the origin when steps were put to the left of it or above it. */
  x: number
  y: number
  width: number
  height: number
}

/** The height of the part of a box that represents the step itself: for a Loop its header, above its body. */
export function headHeight({ kind, height }: Pick<MapBox, 'kind' | 'height'>): number {
  return kind === 'loop' ? LOOP_HEAD : height
}
