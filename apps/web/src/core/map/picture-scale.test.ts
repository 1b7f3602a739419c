import { expect, test } from 'vitest'
import { pictureScale } from './picture-scale.ts'

test('a picture fills its place while names are readable, and steps are high enough for two lines', () => {
  expect(pictureScale(208)).toEqual({ across: 0.64, down: 0.64, hasIcons: true, isCut: false })
  expect(pictureScale(688)).toEqual({ across: 0.5, down: 0.56, hasIcons: true, isCut: false })
  expect(pictureScale(860)).toEqual({ across: 0.4, down: 0.56, hasIcons: false, isCut: false })
  expect(pictureScale(2_000)).toEqual({ across: 0.34, down: 0.56, hasIcons: false, isCut: true })
  expect(pictureScale(0)).toEqual({ across: 0.64, down: 0.64, hasIcons: true, isCut: false })
})
