import { expect, test } from 'vitest'
import { isFoundBy } from './is-found-by.ts'

test('a text finds items by part of their name in any case, by the start of their id, and all items when it is empty', () => {
  const id = '0192f00d-0000-7000-8000-000000000000'
  expect(['', 'DESK', 'help', '0192F0'].map((text) => isFoundBy(text, id, 'Help desk'))).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(['desks', 'f00d'].map((text) => isFoundBy(text, id, 'Help desk'))).toEqual([false, false])
})
