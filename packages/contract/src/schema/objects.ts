import { type TSchemaOptions, type TUnsafe, Type } from 'typebox'

/** An object with any keys and values. */
export function OpenObject(options: TSchemaOptions = {}): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe({ type: 'object', additionalProperties: true, ...options })
}

/** An object with any keys and string values. */
export function StringMap(options: TSchemaOptions = {}): TUnsafe<Record<string, string>> {
  return Type.Unsafe({ type: 'object', additionalProperties: { type: 'string' }, ...options })
}

/** A JSON schema as a value. A patch replaces it completely, because merging two schemas would change their meaning. */
export function JsonSchemaObject(): TUnsafe<Record<string, unknown>> {
  return OpenObject({ replacedWhole: true, maxProperties: 1_000 })
}
