import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { propertyOf } from './json-object.ts'

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
  const type = propertyOf(schema, 'type')
  const values = propertyOf(schema, 'enum')
  const branches = propertyOf(schema, 'anyOf')
  if (Array.isArray(type)) return type.includes('null')
  if (type === 'null') return true
  if (Array.isArray(values)) return values.includes(null)
  return Array.isArray(branches) && branches.some(acceptsNull)
}
