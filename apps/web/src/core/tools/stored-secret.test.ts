import { expect, test } from 'vitest'
import { storedSecretText } from './stored-secret.ts'

test('a stored secret is shown by its last characters, and a short one as set', () => {
  expect(storedSecretText('wxyz', 'Set')).toBe('••••wxyz')
  expect(storedSecretText('', 'Set')).toBe('Set')
})
