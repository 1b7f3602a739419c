import type { PhoneNumber, PhoneTrunk } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import { numberRows, rowsOfPage, trunkRows } from './phone-rows.ts'
import { trunkBodyOf, trunkFieldsOf } from './trunk-fields.ts'
import { isProvisionable, trunkState } from './trunk-state.ts'

const number = (e164: string, agentName: string | null): PhoneNumber => ({
  phoneNumberId: e164,
  trunkId: 'one',
  slug: `desk-${e164.slice(1)}`,
  e164,
  voiceConfigId: null,
  speaker: agentName === null ? null : { agentId: 'a', agentName, voiceSlug: 'v' },
  version: 1,
})

const trunk = (part: Partial<PhoneTrunk> = {}): PhoneTrunk => ({
  ...{ trunkId: 'one', slug: 'main', name: 'Main', projectId: null, direction: 'outbound' },
  ...{ status: 'active', provisioning: 'auto', address: 'sip.carrier.test', transport: 'auto' },
  ...{
    authUsername: 'u',
    hasPassword: true,
    fromUser: null,
    mediaEncryption: 'disabled',
    mediaTimeoutS: null,
  },
  ...{ headers: { 'X-Team': 'sales' }, numberFormat: 'e164_plus', defaultCountry: null },
  ...{ allowedCountries: ['GB'], blockedPrefixes: ['4490'], maxConcurrentCalls: 5, maxCps: 1 },
  ...{ maxCallsPerDestinationPerHour: 3, dailyCallCap: null, quietHours: null, ringingTimeoutS: 30 },
  ...{ maxCallS: 1_800, isProvisioned: true, provisionedAt: null, provisionError: null, version: 4 },
  ...{ createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-02T00:00:00Z' },
  numbers: [number('+442079460100', 'Order desk'), number('+33142685300', null)],
  ...part,
})

test('numbers are found by grouped digits, by their agent and by their trunk', () => {
  const found = (q: string) => numberRows([trunk()], { q, projectId: null }).map(({ e164 }) => e164)
  expect(found('+44 20 79')).toEqual(['+442079460100'])
  expect(found('order')).toEqual(['+442079460100'])
  expect(found('main')).toEqual(['+33142685300', '+442079460100'])
  expect(found('')).toHaveLength(2)
  expect(numberRows([trunk()], { q: '', projectId: 'other' })).toEqual([])
})

test('trunks are found by name and address, newest change first or by name', () => {
  const trunks = [trunk(), trunk({ name: 'Backup', slug: 'backup', updatedAt: '2026-02-01T00:00:00Z' })]
  const names = (q: string, sort: 'name' | '-updatedAt') =>
    trunkRows(trunks, { q, sort, projectId: null }).map(({ name }) => name)
  expect(names('CARRIER', '-updatedAt')).toEqual(['Backup', 'Main'])
  expect(names('ma', 'name')).toEqual(['Main'])
  expect(trunkRows(trunks, { q: '', sort: 'name', projectId: 'other' })).toEqual([])
  expect(rowsOfPage([1, 2, 3], 2, 2)).toEqual([3])
})

test('untouched fields are saved unchanged, and an untouched password is not sent', () => {
  const { numbers: _, trunkId: __, hasPassword: ___, isProvisioned: ____, ...stored } = trunk()
  const body = trunkBodyOf(trunkFieldsOf(trunk()), '', 4)
  expect(body).toMatchObject({
    ...{ name: stored.name, address: stored.address, headers: stored.headers, version: 4 },
    ...{ blockedPrefixes: ['+4490'], auth: { username: 'u' }, fromUser: null, status: 'active' },
  })
  expect(body?.auth).not.toHaveProperty('password')
  const changed = trunkBodyOf({ ...trunkFieldsOf(trunk()), authUsername: ' ', defaultCountry: 'gb' }, 's', 4)
  expect(changed).toMatchObject({ auth: null, defaultCountry: 'GB' })
  expect(trunkBodyOf({ ...trunkFieldsOf(trunk()), maxCps: null }, '', 4)).toBeNull()
})

test('a user’s setting of a trunk takes precedence over the state of the media server', () => {
  expect(trunkState(trunk(), true)).toBe('active')
  expect(trunkState(trunk({ isProvisioned: false, status: 'provisioning' }), true)).toBe('provisioning')
  expect(trunkState(trunk({ isProvisioned: false, status: 'failed' }), true)).toBe('failed')
  expect(trunkState(trunk({ status: 'disabled' }), true)).toBe('disabled')
  expect(trunkState(trunk({ direction: 'inbound', isProvisioned: false }), true)).toBe('inbound')
  expect(trunkState(trunk({ provisioning: 'never', isProvisioned: false }), true)).toBe('unprovisioned')
  expect(isProvisionable('failed') && !isProvisionable('disabled')).toBe(true)
})
