import { expect, test } from 'vitest'
import { permissionRefusal } from './refusal.ts'

test('who has the permission is not refused', () => {
  expect(permissionRefusal('admin', 'manage')).toBeNull()
  expect(permissionRefusal('reviewer', 'decide')).toBeNull()
})

test('a refusal names the role that may, and who has it', () => {
  const members = [
    { name: 'Ana', role: 'admin' },
    { name: 'Eva', role: 'member' },
    { name: 'Max', role: 'owner' },
  ] as const
  expect(permissionRefusal('viewer', 'manage', members)).toBe('Needs admin: Ana, Max')
  expect(permissionRefusal('member', 'own')).toBe('Needs owner')
  expect(permissionRefusal('viewer', 'build', members)).toBe('Needs member: Ana, Eva, Max')
})
