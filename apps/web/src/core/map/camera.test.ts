import { describe, expect, test } from 'vitest'
import {
  centred,
  firstView,
  fit,
  kept,
  MAX_ZOOM,
  MIN_ZOOM,
  pan,
  readCamera,
  reveal,
  seenBy,
  writeCamera,
  zoomAt,
} from './camera.ts'

const SCREEN = { width: 800, height: 600 }

describe('the camera of a map', () => {
  test('a zoom leaves the point below the pointer where it is, within its limits', () => {
    const before = { x: 100, y: 50, zoom: 1 }
    const after = zoomAt(before, 1.5, { x: 300, y: 200 })
    expect(after.x + 300 / after.zoom).toBeCloseTo(100 + 300)
    expect(after.y + 200 / after.zoom).toBeCloseTo(50 + 200)
    expect(zoomAt(before, 1_000, { x: 0, y: 0 }).zoom).toBe(MAX_ZOOM)
    expect(zoomAt(before, 0.000_1, { x: 0, y: 0 }).zoom).toBe(MIN_ZOOM)
  })

  test('a pan moves by pixels of the screen', () => {
    expect(pan({ x: 0, y: 0, zoom: 0.5 }, 10, -20)).toEqual({ x: 20, y: -40, zoom: 0.5 })
  })

  test('a fit shows all, in the middle, never enlarged', () => {
    const camera = fit({ x: 0, y: 0, width: 2_000, height: 400 }, SCREEN)
    const seen = seenBy(camera, SCREEN)
    expect(seen.x).toBeLessThan(0)
    expect(seen.x + seen.width).toBeGreaterThan(2_000)
    expect(seen.y + seen.height / 2).toBeCloseTo(200)
    expect(fit({ x: 0, y: 0, width: 10, height: 10 }, SCREEN).zoom).toBe(1)
  })

  test('a small map is first shown as a whole, a long one from its beginning', () => {
    expect(
      seenBy(firstView({ x: 0, y: 0, width: 400, height: 500 }, null, SCREEN), SCREEN).height,
    ).toBeGreaterThan(500)
    const beginning = { x: 1_000, y: 0, width: 208, height: 56 }
    const seen = seenBy(firstView({ x: 0, y: 0, width: 3_000, height: 90_000 }, beginning, SCREEN), SCREEN)
    expect(seen.x + seen.width / 2).toBeCloseTo(1_104)
    expect(seen.y).toBeLessThan(0)
    expect(seen.height).toBeLessThan(1_000)
  })

  test('a visible target does not move the camera, and another one moves it as little as needed', () => {
    const camera = { x: 0, y: 0, zoom: 1 }
    expect(reveal(camera, { x: 100, y: 100, width: 208, height: 56 }, SCREEN)).toBe(camera)
    expect(reveal(camera, { x: 900, y: 100, width: 208, height: 56 }, SCREEN)).toEqual({
      x: 340,
      y: 0,
      zoom: 1,
    })
    expect(reveal(camera, { x: 100, y: -200, width: 208, height: 56 }, SCREEN)).toEqual({
      x: 0,
      y: -232,
      zoom: 1,
    })
  })

  test('the map never leaves the screen', () => {
    const map = { x: 0, y: 0, width: 500, height: 500 }
    const seen = seenBy(kept({ x: 90_000, y: -90_000, zoom: 1 }, map, SCREEN), SCREEN)
    expect(seen.x).toBeLessThan(500)
    expect(seen.y + seen.height).toBeGreaterThan(0)
  })

  test('a URL keeps it, and a malformed one is ignored', () => {
    const camera = centred({ x: 10, y: 20, width: 208, height: 56 }, 0.75, SCREEN)
    const again = readCamera(writeCamera(camera))
    expect(again?.zoom).toBe(0.75)
    expect(Math.abs((again?.x ?? 0) - camera.x)).toBeLessThan(1)
    for (const text of [null, '', '1,2', '1,2,x', 'NaN,1,1', '1,2,99', '1e9,2,1'])
      expect(readCamera(text)).toBeNull()
  })
})
