import type { ConfigProblem } from '@troupe/graph'
import { isObject } from './fill-defaults.ts'

/** A failure of a config that refuses publishing. */
export function blockingProblem(path: string, message: string, code = 'invalid_config'): ConfigProblem {
  return { severity: 'block', code, path, message }
}

/** The items of a list in a config that are objects, with their places; none when it is no list. */
export function objectsIn(list: unknown): [number, Record<string, unknown>][] {
  if (!Array.isArray(list)) return []
  return [...list.entries()].filter((entry): entry is [number, Record<string, unknown>] => isObject(entry[1]))
}

/** Every item whose `key` an earlier item of the list has too. */
export function repeated(list: unknown, key: string, path: string, what: string): ConfigProblem[] {
  const seen = new Set<unknown>()
  return objectsIn(list).flatMap(([index, item]) => {
    const value = item[key]
    if (typeof value !== 'string') return []
    if (seen.has(value)) return [blockingProblem(`${path}.${index}.${key}`, `is used by another ${what}`)]
    seen.add(value)
    return []
  })
}
