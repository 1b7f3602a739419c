import { expect, test } from 'vitest'
import { actionText } from './action-text.ts'

test('an action is shown in words, and one of a newer server by its name', () => {
  expect(actionText('api_key.rotated')).toBe('API key rotated')
  expect(actionText('canvas.drawn')).toBe('canvas.drawn')
})
