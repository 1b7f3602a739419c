import { describe, expect, test } from 'vitest'
import { popoverPlace } from './popover-place.ts'

const WINDOW = { width: 1_440, height: 860 }
const POPOVER = { width: 400, most: 430 }
const button = (left: number, top: number) => ({ left, right: left + 90, top, bottom: top + 26 })

describe('the place of a popover at its button', () => {
  test('it is below the button, from its left edge', () => {
    expect(popoverPlace(button(300, 100), WINDOW, POPOVER)).toEqual({
      left: 300,
      top: 132,
      bottom: null,
      height: 430,
    })
  })

  test('at the foot of the window it is above the button', () => {
    expect(popoverPlace(button(300, 800), WINDOW, POPOVER)).toEqual({
      left: 300,
      top: null,
      bottom: 66,
      height: 430,
    })
  })

  test('at the right edge of the window it ends with the button, and stays inside', () => {
    expect(popoverPlace(button(1_200, 100), WINDOW, POPOVER)?.left).toBe(890)
    expect(popoverPlace(button(1_400, 100), WINDOW, POPOVER)?.left).toBe(1_032)
    expect(popoverPlace(button(-40, 100), WINDOW, POPOVER)?.left).toBe(8)
  })

  test('it is as high as its side of the window', () => {
    expect(popoverPlace(button(300, 500), WINDOW, POPOVER)).toMatchObject({ top: 532, height: 320 })
    expect(popoverPlace(button(300, 320), { width: 1_440, height: 500 }, POPOVER)).toMatchObject({
      top: null,
      height: 306,
    })
  })

  test('without room, and for a button outside the window, it has no place', () => {
    expect(popoverPlace(button(300, 100), { width: 1_440, height: 240 }, POPOVER)).toBeNull()
    expect(popoverPlace(button(300, -60), WINDOW, POPOVER)).toBeNull()
    expect(popoverPlace(button(300, 900), WINDOW, POPOVER)).toBeNull()
    expect(popoverPlace(button(1_500, 100), WINDOW, POPOVER)).toBeNull()
  })
})
