import { expect, test } from 'vitest'
import { requireShownName } from './require-shown-name.ts'

test.each([
  [undefined, 'Ana'],
  ['Ben', 'Ana'],
  [' ', ' '],
  ['Ben', ' '],
])('%j is accepted if %j is stored', (name, before) => {
  expect(() => requireShownName(name, { name: before })).not.toThrow()
})

test.each([
  [' ', 'Ana'],
  ['\u200b', ' '],
  ['  ', ' '],
])('%j is refused if %j is stored', (name, before) => {
  expect(() => requireShownName(name, { name: before })).toThrow('The request is not valid.')
})
