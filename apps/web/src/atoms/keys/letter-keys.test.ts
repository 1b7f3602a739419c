import { expect, test } from 'vitest'
import { rowStep } from './letter-keys.ts'

test('letters move along the rows only while they are switched on, and the arrows always do', () => {
  expect(['j', 'k', 'ArrowDown', 'ArrowUp', 'x'].map((key) => rowStep(key, true))).toEqual([
    1,
    -1,
    1,
    -1,
    null,
  ])
  expect(['j', 'k', 'ArrowDown', 'ArrowUp'].map((key) => rowStep(key, false))).toEqual([null, null, 1, -1])
})
