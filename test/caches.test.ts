import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findStores, storesIn } from './caches/find-stores.ts'
import { CACHES, OTHER_STORES } from './caches/stores.ts'

const GB = 1024 ** 3

describe('stores of the process', () => {
  test('are listed, each as a cache with a budget or as part of a shorter-lived object', () => {
    const listed = [...CACHES.map(({ store }) => store), ...Object.keys(OTHER_STORES)].sort()
    expect(new Set(listed).size).toBe(listed.length)
    expect(findStores(), 'give a new store a row of test/caches/stores.ts').toEqual(listed)
  })

  test.each(
    CACHES.map((row) => [row.store, row] as const),
  )('%s has its budget and its expiry', (store, row) => {
    const source = readFileSync(new URL(`../${store.split(' ')[0]}`, import.meta.url), 'utf8')
    for (const name of [...row.budget, row.expires]) {
      // Once at its declaration, once at its use.
      expect([...source.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length, name).toBeGreaterThan(1)
    }
  })

  test('total less than 1 GB, if all tenants fill all caches', () => {
    expect(CACHES.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(GB)
  })
})

test.each([
  ['class A {\n  readonly #kept = new Map<string, Map<string, () => void>>()\n}', ['#kept']],
  ['class A {\n  #kept: Map<string, number> = new Map()\n}', ['#kept']],
  [
    'class A {\n  readonly #kept: X\n  constructor() {\n    this.#kept = new LRUCache({ max: 1 })\n  }\n}',
    ['LRUCache'],
  ],
  ['const kept = new Map<string, Promise<void>>()', ['kept']],
  ['const NAMES = new Set(["a", "b"])', []],
  ['export function createX() {\n  const kept = new Map<string, X>()\n  return {}\n}', ['kept']],
  [
    'const counter = (deps) => {\n  if (deps) {\n    const kept = new Map<string, X>()\n    const add = (key) => kept.set(key, deps)\n    return { add }\n  }\n}',
    ['kept'],
  ],
  ['function read(a) {\n  const kept = new Set<X>()\n  return { has: (one) => kept.has(one) }\n}', []],
  ['function sorted(a) {\n  const kept = new Set<X>()\n  return a.filter((one) => kept.add(one))\n}', []],
  ['export function namesOf(a) {\n  const kept = new Map<string, X>()\n  return kept\n}', []],
])('a store is found in %j', (source, names) => {
  expect(storesIn(source)).toEqual(names)
})
