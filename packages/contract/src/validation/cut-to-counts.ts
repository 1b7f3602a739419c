import type { FieldError } from '../errors/error-body.ts'
import { fieldPath, MAX_FIELD_ERRORS } from '../errors/field-path.ts'
import { isJsonObject, type JsonObject } from '../schema/json-object.ts'

/** A value with no more items and keys than its schema allows, and one failure per cut. */
export interface CutValue {
  value: unknown
  errors: FieldError[]
}

/**
 * Cuts lists and objects to the counts of their schema, because the schema library reads every item and key before it
 * counts them. The search for failures then reads no item beyond `maxItems` and no key beyond `maxProperties`. A value
 * that needs no cut is not copied.
 */
export function cutToCounts(schema: unknown, value: unknown, path: string): CutValue {
  const errors: FieldError[] = []
  return { value: cut(schema, value, path, errors), errors }
}

function cut(schema: unknown, value: unknown, path: string, errors: FieldError[]): unknown {
  if (typeof value !== 'object' || value === null || !isJsonObject(schema)) return value
  if (Array.isArray(schema.anyOf)) return cutUnion(schema.anyOf, value, path, errors)
  if (Array.isArray(value)) return cutList(schema, value, path, errors)
  if (!isJsonObject(value)) return value
  return cutObject(schema, isClosed(schema) ? withoutMany(value, [schema]) : value, path, errors)
}

/** If one of the branches for its type leaves a value uncut, it stays uncut, except for keys that no branch has. */
function cutUnion(branches: readonly unknown[], value: object, path: string, errors: FieldError[]): unknown {
  const type = Array.isArray(value) ? 'array' : 'object'
  const fitting = branches
    .flatMap((branch) => (isJsonObject(branch) && Array.isArray(branch.anyOf) ? branch.anyOf : [branch]))
    .filter(isJsonObject)
    .filter((branch) => [branch.type].flat().includes(type))
  const known = isJsonObject(value) && fitting.every(isClosed) ? withoutMany(value, fitting) : value
  const cuts = fitting.map((branch) => cutToCounts(branch, known, path))
  const [first] = cuts
  if (first === undefined || cuts.some((one) => one.errors.length === 0)) return known
  errors.push(...first.errors)
  return first.value
}

const isClosed = ({ additionalProperties }: JsonObject) => additionalProperties === false

/** An object with its known keys, and at most as many unknown ones as are reported: each of them is a failure. */
function withoutMany(object: JsonObject, schemas: readonly JsonObject[]): JsonObject {
  if (Object.keys(object).length <= MAX_FIELD_ERRORS) return object
  const known = schemas.map(({ properties }) => properties).filter(isJsonObject)
  let unknown = 0
  const kept = Object.entries(object).filter(([key]) => {
    if (known.some((properties) => Object.hasOwn(properties, key))) return true
    unknown += 1
    return unknown <= MAX_FIELD_ERRORS + 1
  })
  return Object.fromEntries(kept)
}

function cutList(
  schema: JsonObject,
  list: readonly unknown[],
  path: string,
  errors: FieldError[],
): readonly unknown[] {
  const { items, maxItems } = schema
  const isOver = typeof maxItems === 'number' && list.length > maxItems
  if (isOver) errors.push({ path, message: `must have at most ${counted(maxItems, 'item')}` })
  const kept = isOver ? list.slice(0, maxItems) : list
  if (!isJsonObject(items)) return kept
  const cutItems = kept.map((item, at) => cut(items, item, fieldPath(path, String(at)), errors))
  return cutItems.some((item, at) => item !== kept[at]) ? cutItems : kept
}

function cutObject(schema: JsonObject, object: JsonObject, path: string, errors: FieldError[]): JsonObject {
  const { properties, additionalProperties, maxProperties } = schema
  const known = isJsonObject(properties) ? properties : {}
  const keys = Object.keys(object)
  const isOver = typeof maxProperties === 'number' && keys.length > maxProperties
  if (isOver) errors.push({ path, message: `must have at most ${counted(maxProperties, 'key')}` })
  const kept = isOver ? keys.slice(0, maxProperties) : keys
  const changed = new Map<string, unknown>()
  for (const key of isJsonObject(additionalProperties) ? kept : Object.keys(known)) {
    if (!Object.hasOwn(object, key)) continue
    const inner = cut(
      Object.hasOwn(known, key) ? known[key] : additionalProperties,
      object[key],
      fieldPath(path, key),
      errors,
    )
    if (inner !== object[key]) changed.set(key, inner)
  }
  if (!isOver && changed.size === 0) return object
  return Object.fromEntries(kept.map((key) => [key, changed.has(key) ? changed.get(key) : object[key]]))
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
