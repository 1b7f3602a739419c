import { expect, test } from 'vitest'
import { chosenKeyEnd, keyState } from './key-state.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')

test.each([
  ['active', null, null],
  ['active', null, '2026-12-22T12:00:00Z'],
  ['endsSoon', null, '2026-11-23T12:00:00Z'],
  ['ended', null, '2026-11-22T12:00:00Z'],
  ['revoked', '2026-11-01T00:00:00Z', null],
  ['revoked', '2026-11-01T00:00:00Z', '2026-11-23T12:00:00Z'],
])('a key is %s when it was revoked at %s and ends at %s', (state, revokedAt, expiresAt) => {
  expect(keyState({ revokedAt, expiresAt }, NOW)).toBe(state)
})

test.each([
  ['never', { expiresAt: null }],
  ['30', { expiresAt: '2026-12-22T12:00:00.000Z' }],
  ['kept', {}],
])('an end that is chosen as %s is sent as %j', (ends, sent) => {
  expect(chosenKeyEnd(ends, NOW)).toEqual(sent)
})
