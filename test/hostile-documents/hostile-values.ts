/** A JSON text that replaces one value, with its fault. */
export interface HostileValue {
  name: string
  /** Created when it is sent: all of them together are gigabytes. */
  json(): string
}

/** Leaves room for the rest of a body of 1 MB. */
const CHARACTERS = 1_000_000
/** Almost the max number of values in a body: larger ones are refused unread, which other documents try. */
const VALUES = 99_000
/** The max number of keys in an object. */
const KEYS = 20_000
const LEVELS = 50

function list(item: string, valuesOfOne: number): string {
  const count = Math.min(VALUES / valuesOfOne, CHARACTERS / (item.length + 1))
  return `[${Array.from({ length: count }, () => item).join(',')}]`
}

function object(member: string, valuesOfOne: number, most = KEYS, prefix = 'k'): string {
  const count = Math.min(VALUES / valuesOfOne, CHARACTERS / (member.length + 12), most)
  return `{${Array.from({ length: count }, (_, at) => `"${prefix}${at}":${member}`).join(',')}}`
}

/** Four objects with distinct keys. A prefix that looks like an escape forces parsers onto their slow path. */
function wideObjects(keys: number, prefix = ''): string {
  const members = ['a', 'b', 'c', 'd'].map((key) => `"${key}":${object('1', 1, keys, `${prefix}${key}`)}`)
  return `{${members.join(',')}}`
}

function deep(open: string, close: string): string {
  return `${open.repeat(LEVELS)}1${close.repeat(LEVELS)}`
}

/** The number of values in a small JSON value. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return 1 + Object.values(value).reduce((sum: number, inner) => sum + sizeOf(inner), 0)
}

/** Wide, deep and wrong values of 1 MB for any place. */
const ANYWHERE: readonly HostileValue[] = [
  { name: 'numbers', json: () => list('1', 1) },
  { name: 'empty objects', json: () => list('{}', 1) },
  { name: 'texts', json: () => list('"xxxxxxx"', 1) },
  { name: 'keys', json: () => wideObjects(KEYS) },
  { name: 'escaped keys', json: () => wideObjects(KEYS / 2, '\\\\u0000') },
  { name: 'keys of objects', json: () => object('{"type":1,"name":[]}', 4) },
  {
    name: 'long keys',
    json: () =>
      `{${Array.from({ length: 60 }, (_, at) => `"${at}${'k'.repeat(9_900)}":${list('1', 1_000)}`).join(',')}}`,
  },
  { name: 'deep lists', json: () => list(deep('[', ']'), LEVELS + 1) },
  { name: 'deep objects', json: () => list(deep('{"a":', '}'), LEVELS + 1) },
  { name: 'text', json: () => `"${'x'.repeat(CHARACTERS)}"` },
  { name: 'escaped text', json: () => `"${'\\u00e9\\n'.repeat(CHARACTERS / 8)}"` },
]

/**
 * Hostile values for a place, of 1 MB each.
 *
 * @param item a valid item of the list, or member of the record; undefined for any other place
 */
export function hostileValues(item: unknown): readonly HostileValue[] {
  if (item === undefined) return ANYWHERE
  const json = JSON.stringify(item)
  const wrong = typeof item === 'object' && item !== null ? { ...item, unknown: 1 } : [item]
  return [
    ...ANYWHERE,
    { name: 'valid items', json: () => list(json, sizeOf(item)) },
    { name: 'items with a key too many', json: () => list(JSON.stringify(wrong), sizeOf(wrong)) },
    {
      name: 'valid items and a wrong one',
      json: () => `${list(json, sizeOf(item) + 0.1).slice(0, -1)},[[]]]`,
    },
    { name: 'valid members', json: () => object(json, sizeOf(item)) },
  ]
}

/** Bodies of 1 MB that need no schema: the gate refuses them unread. */
export const HOSTILE_BODIES: readonly HostileValue[] = [
  { name: 'an object of a megabyte of keys', json: () => object('1', 1, VALUES) },
  { name: 'a megabyte of numbers', json: () => `[${'1,'.repeat(500_000)}1]` },
  { name: 'a megabyte of brackets', json: () => '['.repeat(500_000) + ']'.repeat(500_000) },
  {
    name: 'a megabyte of objects in each other',
    json: () => `${'{"a":'.repeat(160_000)}1${'}'.repeat(160_000)}`,
  },
  { name: 'a key of a megabyte', json: () => `{"${'k'.repeat(1_000_000)}":1}` },
  { name: 'an unclosed megabyte', json: () => '{"a":'.repeat(190_000) },
]
