import { isJsonObject } from '@troupe/contract'

type Properties = [name: string, schema: Record<string, unknown>][]

/**
 * The keys of an object with their schemas, in the order of its definition: the common ones, and those of its variant if one of its
 * values selects it (`variants`), such as the options of a question.
 */
export function propertiesOf(schema: object, values: Record<string, unknown>): Properties {
  const common = ownProperties(schema)
  const { key, schemas } = variantsOf(schema)
  const kind = key === null ? undefined : values[key]
  const own = typeof kind === 'string' && Object.hasOwn(schemas, kind) ? ownProperties(schemas[kind]) : []
  return [...new Map([...common, ...own])]
}

/** The label of a choice's value; null: the schema has none. */
export function choiceTitle(schema: object, value: unknown): string | null {
  const choices = isJsonObject(schema) && isJsonObject(schema.choices) ? schema.choices : {}
  const title = typeof value === 'string' && Object.hasOwn(choices, value) ? choices[value] : null
  return typeof title === 'string' ? title : null
}

/** Whether an object of this schema has own keys. */
export function hasProperties(schema: object): boolean {
  return ownProperties(schema).length > 0
}

/** Keys of an object that belong to none of its variants. Those of another variant are kept, for switching back. */
export function unknownKeys(schema: object, values: Record<string, unknown>): string[] {
  const every = [schema, ...Object.values(variantsOf(schema).schemas)]
  const known = new Set(every.flatMap((one) => ownProperties(one).map(([name]) => name)))
  return Object.keys(values).filter((name) => !known.has(name))
}

/**
 * The values of an object after a change of one. If it selects the variant, values with a type that the new variant lacks are
 * removed: its fields could neither show nor clear them.
 */
export function fittingValues(
  schema: object,
  values: Record<string, unknown>,
  changed: string,
): Record<string, unknown> {
  if (variantsOf(schema).key !== changed) return values
  const properties = new Map(propertiesOf(schema, values))
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => isOfType(properties.get(name)?.type, value)),
  )
}

/** Whether a value is of a type of JSON Schema, or of one of several; undefined: any. */
function isOfType(type: unknown, value: unknown): boolean {
  if (Array.isArray(type)) return type.some((one) => isOfType(one, value))
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return type === undefined || typeof value === type
  }
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
