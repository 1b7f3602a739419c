import { isJsonObject } from '@troupe/contract'
import { flatArguments } from './flat-arguments.ts'
import { repairedSchema, type SchemaUse } from './repaired-schema.ts'

type Schema = Record<string, unknown>

/** Keywords with a schema, a list of schemas, and schemas by name. */
const ONE = [
  ...['items', 'unevaluatedItems', 'contains', 'propertyNames'],
  ...['additionalProperties', 'unevaluatedProperties', 'not', 'if', 'then', 'else'],
]
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const NAMED = ['properties', '$defs', 'dependentSchemas']
/** Formats that OpenAI and Anthropic know; others are only described to the model. */
const FORMATS = new Set([
  ...['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid'],
])
/** Number formats, which mean nothing to a model. */
const SIZES = new Set([
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'float',
  'double',
])

const offered: Record<SchemaUse, WeakMap<object, Schema>> = {
  arguments: new WeakMap(),
  answer: new WeakMap(),
}

/**
 * The schema of a tool's arguments, or of an answer, in a form that every provider accepts: valid JSON Schema 2020-12 of known keywords
 * ({@link repairedSchema}), each list with `items`, the arguments with `properties` and without a choice at the top level. A single other
 * schema makes OpenAI, Anthropic or Gemini refuse the whole request. It never allows less than the schema, against which the arguments are
 * checked. A schema without a meaning allows anything. Linear in the schema, and computed once for each.
 */
export function offeredSchema(schema: object, use: SchemaUse = 'arguments'): Schema {
  const known = offered[use].get(schema)
  if (known) return known
  const made = complete(schema, use)
  offered[use].set(schema, made)
  // A returned schema is final.
  offered[use].set(made, made)
  return made
}

function complete(schema: object, use: SchemaUse): Schema {
  const repaired = repairedSchema(schema, use)
  if (!repaired.ok) return use === 'arguments' ? { type: 'object', properties: {} } : {}
  const whole = completed(repaired.schema)
  if (use === 'answer') return whole
  const flat = flatArguments(whole)
  return flat.properties ? flat : { ...flat, properties: {} }
}

/** Its depth is limited by the repair. */
function completed(schema: Schema): Schema {
  const inner = (value: unknown) => (isJsonObject(value) ? completed(value) : value)
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
  if (schema.items === undefined && (isList(schema) || schema.prefixItems !== undefined)) changed.items = {}
  const { format, ...rest } = schema
  if (typeof format !== 'string' || FORMATS.has(format)) return { ...schema, ...changed }
  const told = SIZES.has(format) ? {} : { description: withFormat(schema.description, format.slice(0, 100)) }
  return { ...rest, ...changed, ...told }
}

function withFormat(description: unknown, format: string): string {
  return typeof description === 'string' && description !== ''
    ? `${description} (format: ${format})`
    : `Format: ${format}`
}

function isList({ type }: Schema): boolean {
  return type === 'array' || (Array.isArray(type) && type.includes('array'))
}
