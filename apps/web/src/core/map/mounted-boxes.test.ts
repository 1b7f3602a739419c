import { STEP_HEIGHT, STEP_WIDTH } from '@troupe/editor/layout/step-size'
import { describe, expect, test } from 'vitest'
import type { MapBox } from './map-graph.ts'
import { areMountable, MOST_MOUNTED, mountedBoxes } from './mounted-boxes.ts'
import { boxAt, boxesIn, rectsOf } from './seen-boxes.ts'

const SCREEN = { width: 1_000, height: 800 }
/** A hundred in a row. */
const boxes = Array.from(
  { length: 5_000 },
  (_, at): MapBox => ({
    ...{ id: `s${at}`, kind: 'step', depth: 0, width: STEP_WIDTH, height: STEP_HEIGHT },
    ...{ x: (at % 100) * 240, y: Math.floor(at / 100) * 96 },
  }),
)
const rects = rectsOf(boxes)
const request = { rects, screen: SCREEN, pinned: new Set<number>(), isMoving: false, isRushing: false }
const settled = (
  camera: { x: number; y: number; zoom: number },
  start = new Set<number>() as ReadonlySet<number>,
) => {
  let mounted = start
  let frames = 0
  for (let isComplete = false; !isComplete; frames++) {
    const next = mountedBoxes({ ...request, camera, mounted })
    mounted = next.boxes
    isComplete = next.isComplete
  }
  return { mounted, frames }
}

describe('which steps are elements of the page', () => {
  test('a step at a point is the innermost, and a rectangle has the steps that touch it', () => {
    const nested = rectsOf([
      { id: 'l', kind: 'loop', depth: 0, x: 0, y: 0, width: 400, height: 400 },
      { id: 'a', kind: 'step', depth: 1, x: 50, y: 100, width: 208, height: 56 },
    ])
    expect([boxAt(nested, 60, 120), boxAt(nested, 10, 10), boxAt(nested, 500, 10)]).toEqual([1, 0, null])
    expect(boxesIn(rects, { x: 250, y: 0, width: 10, height: 10 })).toEqual([1])
  })

  test('they are added a few at a time, nearest to the middle first, up to a limit', () => {
    const first = mountedBoxes({ ...request, camera: { x: 2_400, y: 960, zoom: 1 }, mounted: new Set() })
    expect(first.boxes.size).toBe(8)
    expect(first.isComplete).toBe(false)
    const moving = { ...request, camera: { x: 2_400, y: 960, zoom: 1 }, isMoving: true }
    expect(mountedBoxes({ ...moving, mounted: new Set() }).boxes.size).toBe(3)
    const { mounted, frames } = settled({ x: 2_400, y: 960, zoom: 0.55 })
    expect(mounted.size).toBeLessThanOrEqual(MOST_MOUNTED)
    expect(mounted.size).toBeGreaterThan(100)
    expect(frames).toBeLessThan(60)
  })

  test('they stay while they are near, and go when they are far away', () => {
    const { mounted } = settled({ x: 2_400, y: 960, zoom: 1 })
    const near = settled({ x: 2_500, y: 960, zoom: 1 }, mounted).mounted
    expect([...mounted].filter((box) => !near.has(box))).toEqual([])
    const far = settled({ x: 9_000, y: 960, zoom: 1 }, mounted).mounted
    expect([...mounted].filter((box) => far.has(box))).toEqual([])
  })

  test('none are added while the camera moves fast, and none at all if they are too small to read', () => {
    const camera = { x: 2_400, y: 960, zoom: 1 }
    expect(mountedBoxes({ ...request, camera, mounted: new Set(), isRushing: true })).toEqual({
      boxes: new Set(),
      isComplete: false,
    })
    expect(
      mountedBoxes({
        ...request,
        camera: { ...camera, zoom: 0.3 },
        mounted: new Set([5]),
        pinned: new Set([7]),
      }).boxes,
    ).toEqual(new Set([7]))
    expect([areMountable(0.5, false), areMountable(0.5, true), areMountable(0.4, true)]).toEqual([
      false,
      true,
      false,
    ])
  })

  test('an unchanged view keeps the same set', () => {
    const camera = { x: 2_400, y: 960, zoom: 1 }
    const { mounted } = settled(camera)
    expect(mountedBoxes({ ...request, camera, mounted }).boxes).toBe(mounted)
  })
})
