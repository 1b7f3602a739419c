import { expect, test } from 'vitest'
import { routePath } from './route-path.ts'

test('a connection is straight on its side and curved where it changes sides', () => {
  expect(routePath([10, 0, 10, 40, 30, 80])).toBe('M10 0L10 40C10 60 30 60 30 80')
})
