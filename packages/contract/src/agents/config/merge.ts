import type { TSchema } from 'typebox'
import { acceptsNull } from '../../schema/nullable.ts'

type Json = Record<string, unknown>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function childSchema(schema: TSchema | undefined, key: string): TSchema | undefined {
  return (schema as { properties?: Record<string, TSchema> } | undefined)?.properties?.[key]
}

/**
 * Merges a patch into a configuration and returns a new one: objects recursively, arrays and scalars replace. A `null`
 * stays where the schema allows it and restores the default where it does not; an unknown key keeps its null.
 */
export function mergeConfig(base: Json, patch: Json, defaults: Json, schema: TSchema | undefined): Json {
  const merged: Json = { ...base }
  for (const [key, value] of Object.entries(patch)) {
    const known = childSchema(schema, key)
    const fallback = defaults[key]
    if (value === null && known && !acceptsNull(known)) {
      merged[key] = structuredClone(fallback)
    } else if (isObject(value)) {
      const below = isObject(merged[key]) ? merged[key] : {}
      merged[key] = mergeConfig(below, value, isObject(fallback) ? fallback : {}, known)
    } else {
      merged[key] = structuredClone(value)
    }
  }
  return merged
}
