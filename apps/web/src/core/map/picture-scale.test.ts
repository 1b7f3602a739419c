import { expect, test } from 'vitest'
import { pictureScale } from './picture-scale.ts'

test('a picture takes its place as long as the names of its steps are readable', () => {
  expect(pictureScale(208)).toEqual({ scale: 0.64, isCut: false })
  expect(pictureScale(688)).toEqual({ scale: 0.5, isCut: false })
  expect(pictureScale(2_000)).toEqual({ scale: 0.44, isCut: true })
  expect(pictureScale(0)).toEqual({ scale: 0.64, isCut: false })
})
