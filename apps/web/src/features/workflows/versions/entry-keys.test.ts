import { expect, test } from 'vitest'
import { entryKeys } from './entry-keys.ts'

test('entries of one revision and one millisecond have different keys', () => {
  const kept = { kind: 'snapshot', revision: 2, versionId: null, at: '2026-11-29T20:00:00.000Z' } as const
  const saved = { ...kept, kind: 'changes' } as const
  const version = { ...kept, kind: 'version', revision: null, versionId: crypto.randomUUID() } as const
  const keys = entryKeys([version, kept, kept, saved, kept])
  expect(new Set(keys).size).toBe(5)
  // A page that is loaded later changes none of them.
  expect(entryKeys([version, kept, kept])).toEqual(keys.slice(0, 3))
})
