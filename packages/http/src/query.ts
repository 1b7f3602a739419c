import { type FieldError, type Operation, propertyOf } from '@troupe/contract'

type QuerySchema = NonNullable<Operation['query']>

type Coerce = (text: string) => unknown

/** Converts query-string values to the types of a schema. */
export type QueryReader = (query: Record<string, unknown>) => {
  values: Record<string, unknown>
  errors: FieldError[]
}

/**
 * Builds the reader of a query schema. Only plain decimal integers are converted; other text is refused by the
 * validator. A repeated parameter is an error, and unknown parameters are dropped.
 */
export function queryReader(schema: QuerySchema): QueryReader {
  const coercions = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    coerce: coercion(property),
  }))
  return (query) => {
    const values: Record<string, unknown> = {}
    const errors: FieldError[] = []
    for (const { name, coerce } of coercions) {
      const given = query[name]
      if (given === undefined) continue
      if (typeof given === 'string') values[name] = coerce(given)
      else errors.push({ path: name, message: 'must appear exactly once' })
    }
    return { values, errors }
  }
}

function coercion(schema: object): Coerce {
  const type = propertyOf(schema, 'type')
  if (type === 'integer') return (text) => (/^-?(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : text)
  if (type === 'boolean') return (text) => (text === 'true' ? true : text === 'false' ? false : text)
  return (text) => text
}
