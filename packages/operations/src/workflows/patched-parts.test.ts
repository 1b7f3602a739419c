import { PART_HASH_BYTES } from '@troupe/storage'
import { expect, test } from 'vitest'
import { PartTexts } from './part-texts.ts'
import { PatchedParts } from './patched-parts.ts'

const part = (id: string) => ({ id })
const partsOf = (ids: string) => {
  const stored = PartTexts.of([...ids].map(part), () => new Uint8Array(PART_HASH_BYTES))
  const parts = new PatchedParts(stored)
  return Object.assign(parts, { list: () => stored.patched(parts.patch()).keys() })
}
const shown = (parts: ReturnType<typeof partsOf>) => parts.list().join('')

test('a new part is inserted last, or before the one that it names; an existing one keeps its place', () => {
  const parts = partsOf('abc')
  parts.put(part('x'))
  parts.put(part('y'), 'b')
  parts.put(part('z'), 'b')
  parts.put(part('c'), 'a')
  expect(shown(parts)).toBe('ayzbcx')
})

test('removed neighbours are restored in their order, in any order of the puts', () => {
  for (const order of ['bcd', 'dcb', 'cbd']) {
    const parts = partsOf('abcde')
    for (const id of 'bcd') parts.remove(id)
    const next = new Map([...'bcd'].map((id, index) => [id, 'cde'.charAt(index)]))
    for (const id of order) parts.put(part(id), next.get(id))
    expect(shown(parts)).toBe('abcde')
  }
})

test('a part before a missing one, or before itself, is inserted last', () => {
  const parts = partsOf('a')
  parts.put(part('b'), 'nothing')
  parts.put(part('c'), 'd')
  parts.put(part('d'), 'c')
  parts.put(part('e'), 'e')
  expect(shown(parts)).toBe('abcde')
})

test('twenty thousand parts, each before another, are sorted', () => {
  const parts = partsOf('0')
  for (let n = 1; n <= 20_000; n++) parts.put(part(String(n)), String(n - 1))
  expect(parts.list().at(0)).toBe('20000')
})

test('only put or removed parts are compared, and the removal of an id removes all parts with it', () => {
  const parts = partsOf('aba')
  parts.put(part('b'))
  parts.put({ ...part('c') })
  parts.remove('a')
  expect(parts.list()).toEqual(['b', 'c'])
  expect(parts.differences()).toEqual([
    { id: 'c', before: null, after: part('c') },
    { id: 'a', before: part('a'), after: null },
  ])
})
