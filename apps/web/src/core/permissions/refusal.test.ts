import { expect, test } from 'vitest'
import { refusalOf } from './refusal.ts'

test('who has the permission is not refused', () => {
  expect(refusalOf('admin', 'manage')).toBeNull()
  expect(refusalOf('reviewer', 'decide')).toBeNull()
})

test('a refusal names the role that may, and who has it', () => {
  const members = [
    { name: 'Ana', role: 'admin' },
    { name: 'Eva', role: 'member' },
    { name: 'Max', role: 'owner' },
  ] as const
  expect(refusalOf('viewer', 'manage', members)).toBe('Needs admin: Ana, Max')
  expect(refusalOf('member', 'own')).toBe('Needs owner')
  expect(refusalOf('viewer', 'build', members)).toBe('Needs member: Ana, Eva, Max')
})
