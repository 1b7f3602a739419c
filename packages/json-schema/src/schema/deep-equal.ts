import { propertyOf } from '@troupe/contract'

/** The keys of the right side's objects, which `contains` compares with every element of a list. */
export type KnownKeys = WeakMap<object, readonly string[]>

function keysOf(value: object, known: KnownKeys): readonly string[] {
  const keys = known.get(value) ?? Object.keys(value)
  known.set(value, keys)
  return keys
}

/** Whether two JSON values are equal, regardless of key order. Takes time linear in the smaller one. */
export function isDeepEqual(left: unknown, right: unknown, known: KnownKeys = new WeakMap()): boolean {
  const pairs: [unknown, unknown][] = [[left, right]]
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [a, b] = pair
    if (a === b) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (Array.isArray(a) !== Array.isArray(b)) return false
    if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false
    const keys = Object.keys(a)
    if (keys.length !== keysOf(b, known).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false
      pairs.push([propertyOf(a, key), propertyOf(b, key)])
    }
  }
  return true
}
