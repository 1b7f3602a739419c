import { expect, test } from 'vitest'
import { isProvisionable, trunkState } from './trunk-state.ts'

const WAITING = {
  status: 'active',
  direction: 'outbound',
  provisioning: 'auto',
  isProvisioned: false,
} as const

test('a trunk waits for a media server only where there is one', () => {
  expect(trunkState(WAITING, true)).toBe('provisioning')
  expect(trunkState(WAITING, false)).toBe('unserved')
  expect(isProvisionable('unserved')).toBe(false)
})

test('a user’s setting takes precedence over a missing media server', () => {
  expect(trunkState({ ...WAITING, status: 'draft' }, false)).toBe('draft')
  expect(trunkState({ ...WAITING, direction: 'inbound' }, false)).toBe('inbound')
})
