import {
  type FieldError,
  fieldPath,
  isJsonObject,
  type JsonObject,
  schemaExcess,
  shortened,
} from '@troupe/contract'
import { localTarget, unescapedStep } from './local-target.ts'
import {
  isRequiredByItself,
  isSilent,
  isSmallData,
  orNull,
  PLAIN_KEYWORDS,
  possibleValues,
} from './schema-keywords.ts'

/** Maximum depth: deeper schemas describe nothing that a model could write. */
const MOST_LEVELS = 64
/** Maximum parts of one schema, counted before anything else reads it. */
const MOST_PARTS = 20_000
const MOST_REPAIRS = 20
const MOST_CHAIN = 16
const LONGEST_REFERENCE = 1_000

const ONE = new Set([
  ...['items', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties', 'contains'],
  ...['propertyNames', 'not', 'if', 'then', 'else'],
])
/** Keywords whose value `false` has a meaning that providers know. */
const MAY_BE_FALSE = new Set(['items', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const NAMED = new Set(['properties', 'dependentSchemas'])

/** The schema for `true`. */
const ANYTHING: JsonObject = {}

/** The purpose of a schema: the arguments of a tool are an object, an answer may be any JSON. */
export type SchemaUse = 'arguments' | 'answer'

/** A schema that is valid JSON Schema 2020-12, with its repairs; or the reason that it has no meaning. */
export type RepairedSchema =
  | { ok: true; schema: JsonObject; repairs: readonly FieldError[] }
  | { ok: false; problem: string }

const known: Record<SchemaUse, WeakMap<object, RepairedSchema>> = {
  arguments: new WeakMap(),
  answer: new WeakMap(),
}

/**
 * Converts a schema from outside to JSON Schema 2020-12. One keyword with a wrong value makes a provider refuse the whole request, so only
 * known keywords with allowed values are kept: drafts 3 to 7 and OpenAPI 3.0 are rewritten, and meaningless parts are omitted, which
 * allows more and never less. References lead into `$defs`.
 *
 * `repairs` lists each change that could matter to the author, with paths below the schema, at most 20. Linear in the schema, and computed
 * once for each.
 */
export function repairedSchema(given: unknown, use: SchemaUse = 'arguments'): RepairedSchema {
  if (!isJsonObject(given)) return { ok: false, problem: 'is not a JSON Schema: it must be an object' }
  const done = known[use].get(given)
  if (done) return done
  const repaired = repair(given, use)
  known[use].set(given, repaired)
  return repaired
}

function repair(given: JsonObject, use: SchemaUse): RepairedSchema {
  const reader = new RepairingReader(given)
  const root = use === 'arguments' ? reader.rootObject() : reader.root()
  if ('problem' in root) return { ok: false, problem: root.problem }
  // The schema of an answer is checked when it is saved.
  const excess = use === 'arguments' && reader.problem === null ? schemaExcess(root.schema) : null
  const problem = reader.problem ?? excess
  return problem === null
    ? { ok: true, schema: root.schema, repairs: reader.repairs }
    : { ok: false, problem }
}

type Root = { schema: JsonObject } | { problem: string }

class RepairingReader {
  readonly #given: JsonObject
  readonly repairs: FieldError[] = []
  /** The reason that the schema has no meaning. */
  problem: string | null = null
  #parts = 0
  /** The names of definitions, by definition. */
  readonly #names = new Map<object, string>()
  /** The number of definitions by name. */
  readonly #taken = new Map<string, number>()
  readonly #waiting: { name: string; target: JsonObject }[] = []

  constructor(given: JsonObject) {
    this.#given = given
  }

  root(): Root {
    const schema = this.#read(this.#given, '', 0)
    return { schema: this.#withDefinitions(schema) }
  }

  /** The arguments of a tool: providers require an object at the top level, neither a reference nor a choice of types. */
  rootObject(): Root {
    const start = this.#atRoot(this.#given)
    const types = [start.type].flat()
    const isOther = start.type !== undefined && !types.some((type) => type === 'object' || type === 'Object')
    const schema = this.#read(start, '', 0)
    if (isOther && schema.type !== undefined && ![schema.type].flat().includes('object')) {
      return { problem: 'must describe an object: its type must be object' }
    }
    return { schema: this.#withDefinitions({ ...schema, type: 'object' }) }
  }

  /** The root, replaced by the definition that it refers to. */
  #atRoot(root: JsonObject): JsonObject {
    if (typeof root.$ref !== 'string') return root
    const { $ref, ...own } = root
    const target = this.#target(String($ref))
    return target === null || target === this.#given ? own : { ...target, ...own }
  }

  #withDefinitions(schema: JsonObject): JsonObject {
    const definitions: JsonObject = {}
    // Not recursive: a chain of definitions may be as long as the schema.
    for (let next = this.#waiting.shift(); next && this.problem === null; next = this.#waiting.shift()) {
      definitions[next.name] = this.#read(next.target, fieldPath('$defs', next.name), 0)
    }
    return Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions }
  }

  #say(path: string, key: string, message: string): void {
    if (this.repairs.length < MOST_REPAIRS) this.repairs.push({ path: fieldPath(path, key), message })
  }

  #count(depth: number): boolean {
    this.#parts += 1
    if (depth > MOST_LEVELS) this.problem ??= `must be nested at most ${MOST_LEVELS} levels deep`
    if (this.#parts > MOST_PARTS) this.problem ??= `has more than ${MOST_PARTS} parts`
    return this.problem === null
  }

  /** Reads a subschema; a value that is not a schema allows everything. */
  #inner(value: unknown, path: string, key: string, depth: number): JsonObject {
    if (value === true) return {}
    if (value === false) return { not: {} }
    if (isJsonObject(value)) return this.#read(value, fieldPath(path, key), depth + 1)
    this.#say(path, key, 'is not a schema, so anything is allowed there')
    return {}
  }

  #read(schema: JsonObject, path: string, depth: number): JsonObject {
    if (!this.#count(depth)) return {}
    const read: JsonObject = {}
    for (const [key, value] of Object.entries(schema)) {
      if (this.problem !== null) return {}
      this.#keyword(read, { key, value, path, depth })
    }
    this.#olderDrafts(read, schema, path, depth)
    this.#values(read, path)
    if (schema.nullable === true) return orNull(this.#reference(read, schema, path))
    return this.#reference(read, schema, path)
  }

  #keyword(
    read: JsonObject,
    { key, value, path, depth }: { key: string; value: unknown; path: string; depth: number },
  ) {
    const reading = Object.hasOwn(PLAIN_KEYWORDS, key) ? PLAIN_KEYWORDS[key] : undefined
    if (reading) {
      this.#plain(read, { key, value, path }, reading(value))
    } else if (ONE.has(key)) {
      if (key === 'items' && Array.isArray(value)) return
      this.#one(read, { key, value, path, depth })
    } else if (LISTS.has(key)) {
      const list = Array.isArray(value) ? value : isJsonObject(value) ? [value] : []
      const schemas = list.filter((item) => typeof item === 'boolean' || isJsonObject(item))
      if (!Array.isArray(value) || schemas.length < list.length) {
        this.#say(path, key, 'must be a list of schemas; other values are omitted')
      }
      if (schemas.length === 0) return
      read[key] = schemas.map((item, index) => this.#inner(item, fieldPath(path, key), String(index), depth))
    } else if (NAMED.has(key)) {
      if (!isJsonObject(value)) {
        // PHP writes an empty object as an empty list.
        if (!Array.isArray(value) || value.length > 0)
          this.#say(path, key, 'must be an object of schemas and is omitted')
        if (key === 'properties') read[key] = {}
        return
      }
      const place = fieldPath(path, key)
      read[key] = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, this.#inner(inner, place, name, depth)]),
      )
    } else if (!isElsewhere(key) && !isSilent(key)) {
      this.#say(path, key, 'is not a keyword that models know and is omitted')
    }
  }

  #plain(
    read: JsonObject,
    { key, value, path }: { key: string; value: unknown; path: string },
    kept: unknown,
  ): void {
    if (kept !== undefined) read[key] = kept
    // `required: false` in a property, as in drafts before 4; `true` is handled by the object that has the property.
    if (key === 'required' && typeof value === 'boolean') return
    if (kept === undefined) this.#say(path, key, `cannot be ${shown(value)} and is omitted`)
    else if (!isSmallData(value) || JSON.stringify(kept) !== JSON.stringify(value)) {
      this.#say(path, key, `was ${shown(value)} and is read as ${shown(kept)}`)
    }
  }

  #one(
    read: JsonObject,
    { key, value, path, depth }: { key: string; value: unknown; path: string; depth: number },
  ): void {
    const isPlain = MAY_BE_FALSE.has(key)
    if (isPlain && (value === false || (value === true && key !== 'items'))) read[key] = value
    else if (typeof value === 'boolean' || isJsonObject(value))
      read[key] = this.#inner(value, path, key, depth)
    else this.#say(path, key, 'is not a schema and is omitted')
  }

  /** Converts keywords of drafts 3 to 7 and OpenAPI 3.0. */
  #olderDrafts(read: JsonObject, schema: JsonObject, path: string, depth: number): void {
    const { items, properties, dependencies } = schema
    for (const [exclusive, limit] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const) {
      const value = schema[exclusive]
      if (value === undefined || value === false) continue
      const number = value === true ? read[limit] : PLAIN_KEYWORDS.minimum?.(value)
      if (typeof number === 'number') {
        read[exclusive] = number
        if (value === true) {
          delete read[limit]
          this.#say(path, exclusive, `was true, as in draft 4, and is read as ${number}`)
        }
      } else this.#say(path, exclusive, `cannot be ${shown(value)} and is omitted`)
    }
    if (Array.isArray(items)) {
      const tuple = items.map((item, index) =>
        this.#inner(item, fieldPath(path, 'items'), String(index), depth),
      )
      if (tuple.length > 0) read.prefixItems ??= tuple
      const { additionalItems } = schema
      if (additionalItems === false) read.items = false
      else if (isJsonObject(additionalItems))
        read.items = this.#inner(additionalItems, path, 'additionalItems', depth)
    }
    if (isJsonObject(dependencies)) this.#dependencies(read, dependencies, path, depth)
    this.#requiredProperties(read, properties, path)
  }

  #dependencies(read: JsonObject, dependencies: JsonObject, path: string, depth: number): void {
    const lists = Object.entries(dependencies).filter(([, value]) => Array.isArray(value))
    const schemas = Object.entries(dependencies).filter(([, value]) => isJsonObject(value))
    if (lists.length > 0)
      read.dependentRequired ??= PLAIN_KEYWORDS.dependentRequired?.(Object.fromEntries(lists))
    if (schemas.length > 0) {
      read.dependentSchemas ??= Object.fromEntries(
        schemas.map(([name, inner]) => [
          name,
          this.#inner(inner, fieldPath(path, 'dependencies'), name, depth),
        ]),
      )
    }
  }

  #requiredProperties(read: JsonObject, properties: unknown, path: string): void {
    const marked = isJsonObject(properties)
      ? Object.keys(properties).filter((name) => isRequiredByItself(properties[name]))
      : []
    if (marked.length > 0) {
      const listed = Array.isArray(read.required) ? read.required : []
      read.required = [...new Set([...listed, ...marked])]
      for (const name of marked) {
        this.#say(
          fieldPath(fieldPath(path, 'properties'), name),
          'required',
          'was true, as in draft 3, and is read as required of the object',
        )
      }
    }
    if (!Array.isArray(read.required) || read.additionalProperties !== false) return
    const own = isJsonObject(read.properties) ? read.properties : {}
    const impossible = read.required.filter((name) => !Object.hasOwn(own, String(name)))
    if (impossible.length === 0) return
    read.properties = { ...own, ...Object.fromEntries(impossible.map((name) => [name, {}])) }
    this.#say(
      path,
      'required',
      `names ${shown(impossible)}, which the schema does not describe: anything is allowed there`,
    )
  }

  /** Removes values that the type of the schema excludes: providers compare the two. */
  #values(read: JsonObject, path: string): void {
    for (const key of ['enum', 'const'] as const) {
      if (!Object.hasOwn(read, key)) continue
      const given = key === 'enum' && Array.isArray(read.enum) ? read.enum : [read[key]]
      const possible = possibleValues(read, given)
      if (JSON.stringify(possible) === JSON.stringify(given)) continue
      this.#say(path, key, `has values that are not of the type ${shown(read.type)}`)
      if (possible.length === 0) delete read[key]
      else read[key] = key === 'enum' ? possible : possible[0]
    }
  }

  /** A reference into `$defs`. Drafts before 2019 ignored its siblings; since then they apply, too. */
  #reference(read: JsonObject, { $ref }: JsonObject, path: string): JsonObject {
    if ($ref === undefined) return read
    const target = typeof $ref === 'string' ? this.#target($ref) : null
    if (target === null) {
      this.#say(path, '$ref', 'leads to nothing inside the schema, so anything is allowed there')
      return read
    }
    const reference = { $ref: target === this.#given ? '#' : `#/$defs/${this.#nameOf(target, String($ref))}` }
    if (Object.keys(read).length === 0) return reference
    // Gemini and OpenAI refuse siblings of a reference; a choice of one is the same.
    return 'anyOf' in read ? { allOf: [reference, read] } : { ...read, anyOf: [reference] }
  }

  /** The schema behind a reference, through references without siblings; null when there is none. */
  #target(reference: string): JsonObject | null {
    let at = reference
    for (let step = 0; step < MOST_CHAIN; step += 1) {
      const found = pointedAt(this.#given, at)
      if (found === true) return ANYTHING
      if (!isJsonObject(found)) return null
      if (typeof found.$ref !== 'string' || Object.keys(found).length > 1) return found
      at = found.$ref
    }
    return null
  }

  #nameOf(target: JsonObject, reference: string): string {
    const given = this.#names.get(target)
    if (given !== undefined) return given
    const last = unescapedStep(reference.slice(reference.lastIndexOf('/') + 1)).slice(0, 60)
    const base = last.replaceAll(/[^A-Za-z0-9_.-]/g, '_') || 'schema'
    let count = (this.#taken.get(base) ?? 0) + 1
    let name = count === 1 ? base : `${base}_${count}`
    for (; this.#taken.has(name); name = `${base}_${count}`) count += 1
    this.#taken.set(base, count).set(name, Math.max(1, this.#taken.get(name) ?? 0))
    this.#names.set(target, name)
    this.#waiting.push({ name, target })
    return name
  }
}

/** Keywords that are read together with others. */
function isElsewhere(key: string): boolean {
  return (
    key === '$ref' ||
    key === 'exclusiveMinimum' ||
    key === 'exclusiveMaximum' ||
    key === 'additionalItems' ||
    key === 'dependencies'
  )
}

/** The value of a pointer (`#/$defs/a`); undefined when it is missing, too long or outside the document. */
function pointedAt(root: JsonObject, reference: string): unknown {
  if (reference === '#' || reference === '#/') return root
  return reference.length > LONGEST_REFERENCE ? undefined : localTarget(root, reference)
}

/** The start of a value, for a message. */
function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? listShown(value) : 'an object'
  return shortened(JSON.stringify(value) ?? 'nothing', 60)
}

function listShown(values: readonly unknown[]): string {
  const first = values
    .slice(0, 3)
    .map((value) => (typeof value === 'object' && value !== null ? '…' : shown(value)))
  return `[${first.join(', ')}${values.length > 3 ? ', …' : ''}]`
}
