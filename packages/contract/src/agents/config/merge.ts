import type { TSchema } from 'typebox'
import { isJsonObject, type JsonObject, propertyOf } from '../../schema/json-object.ts'
import { acceptsNull } from '../../schema/nullable.ts'

/** The schema of a key, or of the free keys of a map such as `metadata`; undefined for an unknown key. */
function childSchema(schema: TSchema | undefined, key: string): TSchema | undefined {
  const properties = propertyOf(schema, 'properties')
  const known = isJsonObject(properties) && Object.hasOwn(properties, key)
  const found = known ? properties[key] : propertyOf(schema, 'additionalProperties')
  return isJsonObject(found) ? found : undefined
}

/** Whether a patch replaces a value of this schema instead of merging it, such as a JSON schema. */
function isReplacedWhole(schema: TSchema | undefined): boolean {
  return propertyOf(schema, 'replacedWhole') === true
}

/**
 * Merges a patch into a configuration and returns a new one: objects merge recursively; arrays, scalars and JSON
 * schemas are replaced. A `null` is kept where the schema allows it and else restores the default, or removes a key
 * without a default (such as those of `metadata`); an unknown key keeps its null.
 */
export function mergeConfig(
  base: JsonObject,
  patch: JsonObject,
  defaults: JsonObject,
  schema: TSchema | undefined,
): JsonObject {
  const merged: JsonObject = { ...base }
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const known = childSchema(schema, key)
    const fallback = Object.hasOwn(defaults, key) ? defaults[key] : undefined
    if (value === null && known && !acceptsNull(known)) {
      if (fallback === undefined) delete merged[key]
      else merged[key] = structuredClone(fallback)
    } else if (isJsonObject(value) && !isReplacedWhole(known)) {
      const below = Object.hasOwn(merged, key) && isJsonObject(merged[key]) ? merged[key] : {}
      merged[key] = mergeConfig(below, value, isJsonObject(fallback) ? fallback : {}, known)
    } else {
      merged[key] = structuredClone(value)
    }
  }
  return merged
}
