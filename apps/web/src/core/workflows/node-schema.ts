import { isJsonObject } from '@troupe/contract'

type Properties = [name: string, schema: Record<string, unknown>][]

/**
 * The keys of an object with their schemas, in the order of its definition: those that it always has, and those of its kind
 * where one of its own values decides that (`variants`), such as the options of a question.
 */
export function propertiesOf(schema: object, values: Record<string, unknown>): Properties {
  const common = ownProperties(schema)
  const { key, schemas } = variantsOf(schema)
  const kind = key === null ? undefined : values[key]
  const own = typeof kind === 'string' && Object.hasOwn(schemas, kind) ? ownProperties(schemas[kind]) : []
  return [...new Map([...common, ...own])]
}

/** Whether an object of this schema has any key of its own. */
export function hasProperties(schema: object): boolean {
  return ownProperties(schema).length > 0
}

/** Keys of an object that none of its kinds knows. What another kind knows is kept, for whoever goes back to that one. */
export function unknownKeys(schema: object, values: Record<string, unknown>): string[] {
  const every = [schema, ...Object.values(variantsOf(schema).schemas)]
  const known = new Set(every.flatMap((one) => ownProperties(one).map(([name]) => name)))
  return Object.keys(values).filter((name) => !known.has(name))
}

function variantsOf(schema: object): { key: string | null; schemas: Record<string, unknown> } {
  const { key, schemas } = isJsonObject(schema) && isJsonObject(schema.variants) ? schema.variants : {}
  return { key: typeof key === 'string' ? key : null, schemas: isJsonObject(schemas) ? schemas : {} }
}

function ownProperties(schema: unknown): Properties {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return []
  return Object.entries(schema.properties).filter((entry): entry is Properties[number] =>
    isJsonObject(entry[1]),
  )
}
