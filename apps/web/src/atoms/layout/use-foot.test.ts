import { expect, test } from 'vitest'
import { footOf } from './use-foot.ts'

test.for([
  ['sticky', '0px', 40, 40],
  ['sticky', '64px', 40, 104],
  ['fixed', '12px', 40, 52],
  ['sticky', 'auto', 40, 40],
  ['static', '64px', 40, 0],
  ['relative', '64px', 40, 0],
  ['sticky', '64px', 0, 0],
] as const)('a %s bar %s above the foot, %i high, reaches up %i', ([
  position,
  insetBlockEnd,
  height,
  foot,
]) => {
  expect(footOf({ position, insetBlockEnd }, height)).toBe(foot)
})
