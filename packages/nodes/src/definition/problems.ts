import type { ConfigProblem } from '@troupe/graph'
import { isObject } from './fill-defaults.ts'

/** A config problem that blocks publishing. */
export function blockingProblem(path: string, message: string, code = 'invalid_config'): ConfigProblem {
  return { severity: 'block', code, path, message }
}

/** The object items of a list in a config, with their indexes; empty if it is not a list. */
export function objectsIn(list: unknown): [number, Record<string, unknown>][] {
  if (!Array.isArray(list)) return []
  return [...list.entries()].filter((entry): entry is [number, Record<string, unknown>] => isObject(entry[1]))
}

/** Every item whose `key` duplicates that of an earlier item. */
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
