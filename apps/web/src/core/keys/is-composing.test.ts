import { expect, test } from 'vitest'
import { isComposing } from './is-composing.ts'

test.for([
  ['Enter in Chromium and Firefox that ends a composition', true, 229, true],
  ['Enter in Safari that ends a composition', false, 229, true],
  ['Enter while composing with a key code of its own', true, 13, true],
  ['Enter that sends', false, 13, false],
] as const)('%s', ([, composes, keyCode, expected]) => {
  expect(isComposing({ isComposing: composes, keyCode })).toBe(expected)
})
