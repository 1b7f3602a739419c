import { isJsonObject, type JsonObject } from '@troupe/contract'
import { patternFault } from '@troupe/json-schema'
import { localTarget } from './local-reference.ts'

/** Keywords that say nothing about a value, or only to other tools. */
const DROPPED = new Set([
  'example',
  'examples',
  'xml',
  'externalDocs',
  'discriminator',
  'patternProperties',
  '$schema',
  '$id',
])
/** Keywords whose value is data, not a schema. */
const DATA = new Set(['const', 'enum', 'default'])
/** Keywords whose value has a schema for each name. */
const BY_NAME = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
const MAX_DEPTH = 48

/** Schemas of an OpenAPI document as schemas of their own, whose references lead into `$defs`. */
export class SchemaReader {
  readonly #document: JsonObject
  /** How many references deep schemas go; beyond it anything is allowed. */
  readonly #levels: number
  readonly #names = new Map<string, string>()
  readonly definitions: JsonObject = {}

  constructor(document: JsonObject, levels: number) {
    this.#document = document
    this.#levels = levels
  }

  /** The schema as JSON Schema 2020; OpenAPI 3.0's `nullable` and boolean limits are rewritten. */
  read(schema: unknown): unknown {
    return this.#read(schema, 0, 0)
  }

  #read(schema: unknown, level: number, depth: number): unknown {
    if (Array.isArray(schema)) return schema.map((item: unknown) => this.#read(item, level, depth + 1))
    if (!isJsonObject(schema)) return schema
    if (depth > MAX_DEPTH) return {}
    if (typeof schema.$ref === 'string') return this.#reference(schema.$ref, level)
    const entries = Object.entries(modern(schema)).flatMap(([key, value]): [string, unknown][] => {
      if (DROPPED.has(key) || key.startsWith('x-')) return []
      if (key === 'pattern' && (typeof value !== 'string' || patternFault(value) !== null)) return []
      if (DATA.has(key)) return [[key, value]]
      if (BY_NAME.has(key)) return [[key, isJsonObject(value) ? this.#named(value, level, depth) : value]]
      return [[key, this.#read(value, level, depth + 1)]]
    })
    return Object.fromEntries(entries)
  }

  #named(schemas: JsonObject, level: number, depth: number): JsonObject {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, this.#read(schema, level, depth + 1)]),
    )
  }

  #reference(reference: string, level: number): JsonObject {
    const known = this.#names.get(reference)
    if (known !== undefined) return { $ref: `#/$defs/${known}` }
    const target = level < this.#levels ? localTarget(this.#document, reference) : undefined
    if (target === undefined) return {}
    const name = `s${this.#names.size + 1}_${reference
      .slice(reference.lastIndexOf('/') + 1)
      .replaceAll(/[^A-Za-z0-9_]/g, '_')
      .slice(0, 40)}`
    this.#names.set(reference, name)
    this.definitions[name] = this.#read(target, level + 1, 0)
    return { $ref: `#/$defs/${name}` }
  }
}

/** OpenAPI 3.0 as JSON Schema. */
function modern(schema: JsonObject): JsonObject {
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = schema
  const result: JsonObject = rest
  if (exclusiveMinimum === true) {
    result.exclusiveMinimum = rest.minimum
    delete result.minimum
  } else if (typeof exclusiveMinimum === 'number') result.exclusiveMinimum = exclusiveMinimum
  if (exclusiveMaximum === true) {
    result.exclusiveMaximum = rest.maximum
    delete result.maximum
  } else if (typeof exclusiveMaximum === 'number') result.exclusiveMaximum = exclusiveMaximum
  if (nullable === true && typeof rest.type === 'string') {
    result.type = [rest.type, 'null']
    if (Array.isArray(rest.enum) && !rest.enum.includes(null)) result.enum = [...rest.enum, null]
  }
  return result
}
