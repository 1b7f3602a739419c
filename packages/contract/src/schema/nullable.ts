import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'

/** The schema of `T | null`, written with a JSON Schema type list so that errors and documentation stay short. */
export function Nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const plain = schema as T & { type?: string; enum?: unknown[]; anyOf?: unknown[] }
  if (typeof plain.type === 'string') {
    const values = plain.enum ? { enum: [...plain.enum, null] } : {}
    return Type.Unsafe({ ...plain, type: [plain.type, 'null'], ...values })
  }
  return Type.Unsafe({ anyOf: [schema, { type: 'null' }] })
}

/** Whether a value of this schema may be null. */
export function acceptsNull(schema: TSchema): boolean {
  const plain = schema as { type?: unknown; enum?: unknown[]; anyOf?: TSchema[] }
  if (Array.isArray(plain.type)) return plain.type.includes('null')
  if (plain.type === 'null') return true
  if (plain.enum) return plain.enum.includes(null)
  return plain.anyOf?.some(acceptsNull) ?? false
}
