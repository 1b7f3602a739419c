import { STEP_WIDTH } from '@troupe/editor/layout/step-size'
import type { Camera, ScreenSize } from './camera.ts'
import { seenBy } from './camera.ts'
import { boxesIn } from './seen-boxes.ts'

/** Maximum boxes that are elements of the page; all others are drawn. */
export const MOST_MOUNTED = 240
/** New elements in one frame: more would delay it visibly while the camera moves. */
const MOST_NEW = 8
const MOST_NEW_MOVING = 3
/** Steps become elements at this width on the screen, and stay elements down to the smaller width. */
const MOUNT_PX = 110
const UNMOUNT_PX = 90
/**
 * Elements are created this share of the screen before they are visible, and kept until they are farther
 * away.
 */
const AHEAD = 0.2
const BEHIND = 0.6

/** Whether steps are elements at a zoom. */
export function areMountable(zoom: number, wereMountable: boolean): boolean {
  return zoom * STEP_WIDTH >= (wereMountable ? UNMOUNT_PX : MOUNT_PX)
}

export interface MountRequest {
  rects: Float64Array
  camera: Camera
  screen: ScreenSize
  /** The steps that are currently elements. */
  mounted: ReadonlySet<number>
  /** Steps that remain elements at any position: the focused and the open one. */
  pinned: ReadonlySet<number>
  isMoving: boolean
  /** Whether the camera moves so fast that nothing new can be read. */
  isRushing: boolean
}

/** The boxes rendered as elements, and whether the next frame needs more. */
export interface Mounts {
  boxes: ReadonlySet<number>
  isComplete: boolean
}

/**
 * Decides for one frame which boxes are elements of the page: those near the screen, nearest to its middle first, at most
 * {@link MOST_MOUNTED} and a few new ones at a time. Returns the same set when nothing changes.
 */
export function mountedBoxes({
  rects,
  camera,
  screen,
  mounted,
  pinned,
  isMoving,
  isRushing,
}: MountRequest): Mounts {
  const wereMountable = mounted.size > pinned.size
  const isNear = areMountable(camera.zoom, wereMountable)
  const kept = new Set(pinned)
  let isComplete = true
  if (isNear) {
    const stays = new Set(boxesIn(rects, around(camera, screen, BEHIND)))
    for (const box of mounted) if (stays.has(box)) kept.add(box)
    const wanted = boxesIn(rects, around(camera, screen, AHEAD)).filter((box) => !kept.has(box))
    if (wanted.length > 0 && isRushing) isComplete = false
    else if (wanted.length > 0) {
      const sorted = nearestFirst(rects, wanted, camera, screen)
      const most = isMoving ? MOST_NEW_MOVING : MOST_NEW
      const room = Math.max(0, MOST_MOUNTED - kept.size)
      for (const box of sorted.slice(0, Math.min(most, room))) kept.add(box)
      isComplete = sorted.length <= most || room <= most
    }
  }
  const isSame = kept.size === mounted.size && [...kept].every((box) => mounted.has(box))
  return { boxes: isSame ? mounted : kept, isComplete }
}

function around(camera: Camera, screen: ScreenSize, part: number) {
  const { x, y, width, height } = seenBy(camera, screen)
  return {
    x: x - width * part,
    y: y - height * part,
    width: width * (1 + 2 * part),
    height: height * (1 + 2 * part),
  }
}

function nearestFirst(rects: Float64Array, boxes: number[], camera: Camera, screen: ScreenSize): number[] {
  const { x, y, width, height } = seenBy(camera, screen)
  const far = (box: number) =>
    Math.abs(((rects[box * 4] ?? 0) + (rects[box * 4 + 2] ?? 0)) / 2 - x - width / 2) +
    Math.abs(((rects[box * 4 + 1] ?? 0) + (rects[box * 4 + 3] ?? 0)) / 2 - y - height / 2)
  const distances = new Map(boxes.map((box) => [box, far(box)]))
  return boxes.sort((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0))
}
