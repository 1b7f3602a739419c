import { expect, test } from 'vitest'
import { permissionRefusal } from './refusal.ts'

test('a permitted user is not refused', () => {
  expect(permissionRefusal('admin', 'manage')).toBeNull()
  expect(permissionRefusal('reviewer', 'decide')).toBeNull()
})

test('a refusal names the required role, and its holders', () => {
  const members = [
    { name: 'Ana', role: 'admin' },
    { name: 'Eva', role: 'member' },
    { name: 'Max', role: 'owner' },
  ] as const
  expect(permissionRefusal('viewer', 'manage', members)).toBe(
    'Only admins and owners can do this. Ask Ana or Max.',
  )
  expect(permissionRefusal('member', 'own')).toBe('Only owners can do this.')
  expect(permissionRefusal('viewer', 'build', members)).toBe(
    'Only members, admins and owners can do this. Ask Ana, Eva, or Max.',
  )
})

test('of many people a refusal names three', () => {
  const members = ['Ana', 'Bo', 'Cleo', 'Dan', 'Eva'].map((name) => ({ name, role: 'admin' }) as const)
  expect(permissionRefusal('viewer', 'manage', members)).toBe(
    'Only admins and owners can do this. Ask Ana, Bo, Cleo, or 2 other people.',
  )
})
