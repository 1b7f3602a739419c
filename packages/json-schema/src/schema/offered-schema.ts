import { isJsonObject } from '@troupe/contract'

type Schema = Record<string, unknown>

/** Keywords that hold a schema, a list of schemas, and schemas by name. */
const ONE = [
  ...['items', 'additionalItems', 'unevaluatedItems', 'contains', 'propertyNames'],
  ...['additionalProperties', 'unevaluatedProperties', 'not', 'if', 'then', 'else'],
]
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const NAMED = [
  ...['properties', 'patternProperties', '$defs', 'definitions'],
  ...['dependentSchemas', 'dependencies'],
]
/** Deeper schemas are left as they are: no provider takes them. */
const MOST_LEVELS = 64

const offered = new WeakMap<Schema, Schema>()

/**
 * A schema as providers take it for the arguments of a tool: OpenAI and Gemini refuse the whole request when a list has no `items`, and
 * OpenAI also when the arguments have no `properties`. What is valid stays the same. Linear in the schema, and done once for each.
 */
export function offeredSchema(schema: Schema): Schema {
  const known = offered.get(schema)
  if (known) return known
  const complete = withItems(schema, 0)
  const made = complete.type === 'object' && !complete.properties ? { ...complete, properties: {} } : complete
  offered.set(schema, made)
  return made
}

function withItems(schema: Schema, level: number): Schema {
  if (level > MOST_LEVELS) return schema
  const inner = (value: unknown) => (isJsonObject(value) ? withItems(value, level + 1) : value)
  const changed: Schema = {}
  for (const key of ONE) if (Object.hasOwn(schema, key)) changed[key] = inner(schema[key])
  for (const key of LISTS) {
    const list = schema[key]
    if (Array.isArray(list)) changed[key] = list.map(inner)
  }
  for (const key of NAMED) {
    const named = schema[key]
    if (isJsonObject(named)) {
      changed[key] = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, inner(value)]))
    }
  }
  const { items } = schema
  if (isList(schema) && items === undefined) changed.items = {}
  const { additionalItems = {}, ...complete } = { ...schema, ...changed }
  // A tuple of older drafts.
  return Array.isArray(items)
    ? { ...complete, prefixItems: items.map(inner), items: additionalItems }
    : { ...schema, ...changed }
}

function isList({ type }: Schema): boolean {
  return type === 'array' || (Array.isArray(type) && type.includes('array'))
}
