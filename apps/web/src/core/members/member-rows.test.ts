import { newId, UserId } from '@troupe/contract'
import { expect, test } from 'vitest'
import { memberRows } from './member-rows.ts'

const member = (name: string, role: 'owner' | 'viewer', email: string | null = null) => ({
  ...{ userId: newId(UserId), name, email, role },
  ...{ status: 'active' as const, createdAt: '2026-11-30T00:00:00Z' },
})
const MEMBERS = [member('Ana', 'owner', 'ana@acme.test'), member('Björn', 'viewer')]
const found = (filter: Parameters<typeof memberRows>[1]) =>
  memberRows(MEMBERS, filter).map(({ name }) => name)

test('members are found by their name, their address and their role', () => {
  expect(found({ q: '', role: 'any' })).toEqual(['Ana', 'Björn'])
  expect(found({ q: ' BJÖ', role: 'any' })).toEqual(['Björn'])
  expect(found({ q: '@acme', role: 'any' })).toEqual(['Ana'])
  expect(found({ q: '', role: 'viewer' })).toEqual(['Björn'])
  expect(found({ q: 'ana', role: 'viewer' })).toEqual([])
})
