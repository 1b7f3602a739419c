import { expect, test } from 'vitest'
import { pictureScale } from './picture-scale.ts'

test('a picture takes its place as long as the names of its steps are readable', () => {
  expect(pictureScale(208)).toEqual({ scale: 0.64, hasIcons: true, isCut: false })
  expect(pictureScale(688)).toEqual({ scale: 0.5, hasIcons: true, isCut: false })
  expect(pictureScale(860)).toEqual({ scale: 0.4, hasIcons: false, isCut: false })
  expect(pictureScale(2_000)).toEqual({ scale: 0.34, hasIcons: false, isCut: true })
  expect(pictureScale(0)).toEqual({ scale: 0.64, hasIcons: true, isCut: false })
})
