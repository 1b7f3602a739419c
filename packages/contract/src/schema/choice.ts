import { type TSchemaOptions, type TUnsafe, Type } from 'typebox'

/** One of a fixed list of strings. */
export function Choice<const T extends readonly string[]>(
  values: T,
  options: TSchemaOptions = {},
): TUnsafe<T[number]> {
  return Type.Unsafe({ type: 'string', enum: [...values], ...options })
}
