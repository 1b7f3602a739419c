import { STEP_WIDTH } from '@troupe/editor/layout/step-size'
import type { MapBox } from './map-graph.ts'

/** The distance between connections that leave at different handles. */
const PORT_GAP = 86
/** The distance from the outermost handle to the side of the step. */
const PORT_MARGIN = 18

/** The straight length of a connection before it turns. */
const TURN = 18

type Place = Pick<MapBox, 'x' | 'y' | 'width' | 'height'>

/**
 * The path of a connection between two manually placed boxes: from the lower side of one to the upper side of the
 * other, around both if the other is not below.
 *
 * @param port the offset of its start from the middle of its source
 */
export function routeBetween(from: Place, to: Place, port: number): number[] {
  const [x, y] = [from.x + from.width / 2 + port, from.y + from.height]
  const [endX, endY] = [to.x + to.width / 2, to.y]
  if (endY >= y + TURN) return [x, y, endX, endY]
  const isBeside = to.x >= from.x + from.width || from.x >= to.x + to.width
  const isRight = to.x >= from.x + from.width
  const middle = isBeside
    ? isRight
      ? (from.x + from.width + to.x) / 2
      : (to.x + to.width + from.x) / 2
    : Math.max(from.x + from.width, to.x + to.width) + TURN
  return [x, y, x, y + TURN, middle, y + TURN, middle, endY - TURN, endX, endY - TURN, endX, endY]
}

/**
 * The offset of a handle from the middle of its step.
 *
 * @param handles the outputs of the step, without the body of a Loop
 */
export function portOffset(handles: readonly string[], handle: string): number {
  return Math.round((handles.indexOf(handle) - (handles.length - 1) / 2) * portGap(handles.length))
}

/** Distance between the handles of a step with this many. */
const portGap = (count: number) => Math.min(PORT_GAP, (STEP_WIDTH - 2 * PORT_MARGIN) / Math.max(1, count - 1))

/**
 * The number of lines over which the labels of handles are distributed, so that none covers the next one on its line.
 */
export const portLines = (count: number) => Math.ceil(PORT_GAP / portGap(count))
