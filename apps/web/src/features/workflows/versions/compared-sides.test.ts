import { expect, test } from 'vitest'
import { offered, readSide, restorable, sidesOf } from './compared-sides.ts'

test('the sides of an address are read, and anything else is unknown', () => {
  expect(['draft', '3', 'r12'].map(readSide)).toEqual([
    { kind: 'draft' },
    { kind: 'version', number: 3 },
    { kind: 'revision', revision: 12 },
  ])
  for (const side of ['', '0', 'r0', 'r', '-1', '1e3', 'r1x', '99999999999', ' 3']) {
    expect(readSide(side)).toEqual({ kind: 'unknown' })
  }
  expect(['draft', '3', 'r12', 'x'].map((side) => offered(side).label)).toEqual([
    ...['Draft', 'v3', 'Draft revision 12', 'x'],
  ])
})

test('versions and kept states are offered once each, after the draft', () => {
  const entry = { at: '2026-11-29T10:00:00.000Z', label: null, number: null, isKept: true } as const
  const entries = [
    { ...entry, kind: 'changes', revision: 4 },
    { ...entry, kind: 'version', revision: null, number: 2, label: 'Refunds' },
    { ...entry, kind: 'snapshot', revision: 4 },
    { ...entry, kind: 'changes', revision: 3, isKept: false },
  ] as unknown as Parameters<typeof sidesOf>[0]
  expect(sidesOf(entries).map(({ id }) => id)).toEqual(['draft', 'r4', '2'])
  expect(sidesOf(entries)[2]).toEqual({ id: '2', label: 'v2 · Refunds' })
  expect(sidesOf(entries)[1]?.label).toMatch(/^Draft of 29 Nov 2026/)
})

test('a version and a kept state can replace the draft; the draft and what the list lacks cannot', () => {
  const entry = { at: '2026-11-29T10:00:00.000Z', versionId: null, number: null, isKept: true } as const
  const entries = [
    { ...entry, kind: 'version', revision: null, number: 2, versionId: 'v' },
    { ...entry, kind: 'changes', revision: 4 },
    { ...entry, kind: 'changes', revision: 3, isKept: false },
  ] as unknown as Parameters<typeof restorable>[1]
  expect(restorable('2', entries)).toEqual({ name: 'version 2', versionId: 'v' })
  expect(restorable('r4', entries)).toMatchObject({ revision: 4 })
  for (const side of ['draft', '1', 'r3', 'r9', 'x']) expect(restorable(side, entries)).toBeNull()
})
