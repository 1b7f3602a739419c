import { isJsonObject, type JsonObject } from '@troupe/contract'
import { localTarget } from '@troupe/json-schema'

/** Keywords that do not describe a value, or only for other tools; some are long. */
const DROPPED = new Set([
  ...['example', 'examples', 'xml', 'externalDocs', 'discriminator', '$schema', '$id'],
])
/** Keywords whose value is data, not a schema. */
const DATA = new Set(['const', 'enum', 'default'])
/** Keywords whose value has a schema for each name. */
const BY_NAME = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
const MAX_DEPTH = 48
/** Longer descriptions are truncated. */
const MAX_DESCRIPTION = 1_000

/** The schemas read so far are too large in total. */
export class SchemaTooLarge extends Error {
  override readonly name = 'SchemaTooLarge'
}

/**
 * Converts schemas of an OpenAPI document to standalone schemas, whose references point to `$defs`. Their keywords are
 * those of the document: `repairedSchema` interprets them.
 */
export class SchemaReader {
  readonly #document: JsonObject
  /** Maximum depth of references in schemas; beyond it, anything is allowed. */
  readonly #levels: number
  /** Remaining characters to read, approximately: a few lines can reference all of a large document. */
  #room: number
  readonly #names = new Map<string, string>()
  readonly definitions: JsonObject = {}

  constructor(document: JsonObject, levels: number, room: number) {
    this.#document = document
    this.#levels = levels
    this.#room = room
  }

  /** @throws SchemaTooLarge */
  read(schema: unknown): unknown {
    return this.#read(schema, 0, 0)
  }

  #read(schema: unknown, level: number, depth: number): unknown {
    if (Array.isArray(schema)) {
      this.#take(schema.length)
      return schema.map((item: unknown) => this.#read(item, level, depth + 1))
    }
    if (typeof schema === 'string') this.#take(Math.min(schema.length, MAX_DESCRIPTION))
    if (!isJsonObject(schema)) return schema
    if (depth > MAX_DEPTH) return {}
    const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      if (DROPPED.has(key) || key.startsWith('x-')) return []
      this.#take(key.length + 4)
      if (key === '$ref' && typeof value === 'string') return this.#reference(value, level)
      if (key === 'description' && typeof value === 'string') {
        this.#take(Math.min(value.length, MAX_DESCRIPTION))
        return [
          [
            key,
            value.length > MAX_DESCRIPTION ? `${value.slice(0, MAX_DESCRIPTION).toWellFormed()}…` : value,
          ],
        ]
      }
      if (DATA.has(key)) return [[key, this.#data(value)]]
      if (BY_NAME.has(key)) return [[key, isJsonObject(value) ? this.#named(value, level, depth) : value]]
      return [[key, this.#read(value, level, depth + 1)]]
    })
    return Object.fromEntries(entries)
  }

  /** Counts a value that is data; it is copied unchanged. */
  #data(value: unknown): unknown {
    const left: unknown[] = [value]
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      this.#take(typeof next === 'string' ? next.length + 3 : 4)
      if (typeof next === 'object' && next !== null) left.push(...Object.values(next).slice(0, this.#room))
    }
    return value
  }

  #named(schemas: JsonObject, level: number, depth: number): JsonObject {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => {
        this.#take(name.length + 4)
        return [name, this.#read(schema, level, depth + 1)]
      }),
    )
  }

  #reference(reference: string, level: number): [string, unknown][] {
    const known = this.#names.get(reference)
    if (known !== undefined) return [['$ref', `#/$defs/${known}`]]
    const target = level < this.#levels ? localTarget(this.#document, reference) : undefined
    if (target === undefined) return []
    const name = `s${this.#names.size + 1}_${reference
      .slice(reference.lastIndexOf('/') + 1)
      .replaceAll(/[^A-Za-z0-9_]/g, '_')
      .slice(0, 40)}`
    this.#names.set(reference, name)
    this.definitions[name] = this.#read(target, level + 1, 0)
    return [['$ref', `#/$defs/${name}`]]
  }

  #take(characters: number): void {
    this.#room -= characters
    if (this.#room < 0) throw new SchemaTooLarge()
  }
}
