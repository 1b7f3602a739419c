import { isJsonObject, propertyOf } from '@troupe/contract'
import { patternFault } from '../patterns/linear-pattern.ts'

/** The types of JSON Schema. */
const TYPES = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])
/** Names of these types in programming languages, drafts and other description formats, in lower case. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{
    bool: 'boolean',
    int: 'integer',
    int32: 'integer',
    int64: 'integer',
    long: 'integer',
    short: 'integer',
  },
  ...{ float: 'number', double: 'number', decimal: 'number', numeric: 'number', real: 'number' },
  ...{ str: 'string', text: 'string', char: 'string', date: 'string', datetime: 'string', uuid: 'string' },
  ...{ list: 'array', tuple: 'array', set: 'array', dict: 'object', map: 'object', struct: 'object' },
  ...{ nil: 'null', none: 'null' },
}

/** The value of a keyword in the form of JSON Schema 2020-12; undefined: nothing of it can be kept. */
type Reading = (value: unknown) => unknown

const text: Reading = (value) => (typeof value === 'string' ? value : undefined)
const flag: Reading = (value) => (typeof value === 'boolean' ? value : undefined)

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' && value.length < 32 ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

const number: Reading = numberOf
const factor: Reading = (value) => {
  const found = numberOf(value)
  return found !== undefined && found > 0 ? found : undefined
}
const count: Reading = (value) => {
  const found = numberOf(value)
  return found !== undefined && Number.isSafeInteger(found) && found >= 0 ? found : undefined
}

const names: Reading = (value) =>
  Array.isArray(value) ? [...new Set(value.filter((name) => typeof name === 'string'))] : undefined

/** The JSON Schema name of a type; undefined when there is none. */
function typeName(value: unknown): string | undefined {
  if (value === null) return 'null'
  if (typeof value !== 'string' || value.length > 32) return undefined
  const name = value.trim().toLowerCase()
  return TYPES.has(name) ? name : Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined
}

const type: Reading = (value) => {
  if (!Array.isArray(value)) return typeName(value)
  const found = value.map(typeName)
  // An unknown type may be anything.
  if (found.length === 0 || found.includes(undefined)) return undefined
  const [first, ...rest] = new Set(found)
  return rest.length === 0 ? first : [first, ...rest]
}

/** Maximum parts of data that is sent along. */
const MOST_DATA = 2_000
const MOST_DATA_LEVELS = 16

/** Whether data within a schema is small enough to be compared and sent. Never recurses, whatever its depth. */
export function isSmallData(value: unknown): boolean {
  const left: [unknown, number][] = [[value, 0]]
  for (let seen = 0; left.length > 0; seen += 1) {
    const [next, depth] = left.pop() ?? [null, 0]
    if (seen > MOST_DATA || depth > MOST_DATA_LEVELS) return false
    if (typeof next === 'number' && !Number.isFinite(next)) return false
    if (typeof next !== 'object' || next === null) continue
    for (const inner of Object.values(next)) {
      left.push([inner, depth + 1])
      if (left.length > MOST_DATA) return false
    }
  }
  return true
}

const data: Reading = (value) => (isSmallData(value) ? value : undefined)
const choices: Reading = (value) =>
  Array.isArray(value) && value.length > 0 && isSmallData(value) ? distinct(value) : undefined
const examples: Reading = (value) => (Array.isArray(value) && isSmallData(value) ? value : undefined)

/** Values without repetitions. */
function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

const pattern: Reading = (value) =>
  typeof value === 'string' && patternFault(value) === null ? value : undefined

const dependentRequired: Reading = (value) =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([key, list]) => (Array.isArray(list) ? [[key, names(list)]] : [])),
      )
    : undefined

/** The keywords whose value is not a schema, with their allowed values. Unlisted keywords are omitted. */
export const PLAIN_KEYWORDS: Readonly<Record<string, Reading>> = {
  ...{ type, enum: choices, const: data, default: data, examples },
  ...{ title: text, description: text, format: text, contentEncoding: text, contentMediaType: text },
  ...{ deprecated: flag, readOnly: flag, writeOnly: flag, uniqueItems: flag },
  ...{ minimum: number, maximum: number, multipleOf: factor },
  ...{ minLength: count, maxLength: count, minItems: count, maxItems: count },
  ...{ minProperties: count, maxProperties: count, minContains: count, maxContains: count },
  ...{ required: names, dependentRequired, pattern },
}

/** Keywords that do not constrain a value: their removal is not reported. */
const SILENT = new Set([
  ...['$schema', '$id', 'id', '$comment', '$anchor', '$dynamicAnchor', '$vocabulary', '$recursiveAnchor'],
  ...[
    'example',
    'xml',
    'externalDocs',
    'discriminator',
    'nullable',
    'markdownDescription',
    'definitions',
    '$defs',
  ],
  ...['optional', 'propertyOrdering', 'propertyOrder', 'collectionFormat', 'allowEmptyValue'],
])

/** Whether a removed keyword did not constrain values. */
export function isSilent(key: string): boolean {
  return SILENT.has(key) || /^x-/i.test(key) || key.startsWith('~')
}

function typesOf({ type: given }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(given) ? given : given === undefined ? [] : [given]
}

/** Whether a value has one of the types of a schema. */
function hasType(value: unknown, types: readonly unknown[]): boolean {
  if (types.length === 0) return true
  if (value === null) return types.includes('null')
  if (Array.isArray(value)) return types.includes('array')
  if (typeof value === 'number') {
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value))
  }
  return types.includes(typeof value)
}

/** Converts a value to one of the types: YAML reads an unquoted 1, yes or 2024-01-01 as another type than text. */
function converted(value: unknown, types: readonly unknown[]): unknown {
  if (hasType(value, types)) return value
  const isScalar = typeof value === 'number' || typeof value === 'boolean'
  if (isScalar && types.includes('string')) return String(value)
  const read = typeof value === 'string' ? numberOf(value) : undefined
  if (read !== undefined && hasType(read, types)) return read
  if (value === 'true' && types.includes('boolean')) return true
  if (value === 'false' && types.includes('boolean')) return false
  return undefined
}

/** The values of `enum` or `const` that match the schema's type; empty when there are none. */
export function possibleValues(
  schema: Readonly<Record<string, unknown>>,
  values: readonly unknown[],
): unknown[] {
  const types = typesOf(schema)
  const found = values.map((value) => converted(value, types)).filter((value) => value !== undefined)
  return distinct(found)
}

/** A schema that also allows null. */
export function orNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { type: given, enum: allowed, const: only, ...rest } = schema
  if (given === undefined) {
    const { description, ...own } = schema
    if (Object.keys(own).length === 0) return schema
    return { ...(description === undefined ? {} : { description }), anyOf: [own, { type: 'null' }] }
  }
  const values = Array.isArray(allowed) ? allowed : only === undefined ? null : [only]
  return {
    ...rest,
    type: [...new Set([...typesOf(schema), 'null'])],
    ...(values === null ? {} : { enum: values.includes(null) ? values : [...values, null] }),
  }
}

/** Whether a property's schema itself requires the property, as in drafts before 4. */
export function isRequiredByItself(schema: unknown): boolean {
  return propertyOf(schema, 'required') === true && isJsonObject(schema)
}
