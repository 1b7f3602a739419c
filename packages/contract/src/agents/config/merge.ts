import type { TSchema } from 'typebox'
import { acceptsNull } from '../../schema/nullable.ts'

type Json = Record<string, unknown>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The schema of a key, or of the free keys of a map such as `metadata`; undefined for an unknown key. */
function childSchema(schema: TSchema | undefined, key: string): TSchema | undefined {
  const { properties, additionalProperties } = (schema ?? {}) as {
    properties?: Record<string, TSchema>
    additionalProperties?: TSchema | boolean
  }
  if (properties && Object.hasOwn(properties, key)) return properties[key]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** Whether a value of this schema means something only as a whole, such as a JSON schema. */
function isReplacedWhole(schema: TSchema | undefined): boolean {
  return (schema as { replacedWhole?: boolean } | undefined)?.replacedWhole === true
}

/**
 * Merges a patch into a configuration and returns a new one: objects recursively, arrays, scalars and
 * JSON schemas replace. A `null`
 * stays where the schema allows it and restores the default where it does not, which removes a key that has none (one
 * of `metadata`); an unknown key keeps its null.
 */
export function mergeConfig(base: Json, patch: Json, defaults: Json, schema: TSchema | undefined): Json {
  const merged: Json = { ...base }
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const known = childSchema(schema, key)
    const fallback = Object.hasOwn(defaults, key) ? defaults[key] : undefined
    if (value === null && known && !acceptsNull(known)) {
      if (fallback === undefined) delete merged[key]
      else merged[key] = structuredClone(fallback)
    } else if (isObject(value) && !isReplacedWhole(known)) {
      const below = Object.hasOwn(merged, key) && isObject(merged[key]) ? merged[key] : {}
      merged[key] = mergeConfig(below, value, isObject(fallback) ? fallback : {}, known)
    } else {
      merged[key] = structuredClone(value)
    }
  }
  return merged
}
