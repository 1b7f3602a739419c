import { isJsonObject, type JsonObject, propertyOf } from '@troupe/contract'
import { hostileValues } from './hostile-values.ts'

/** A body with one hostile value in it. */
export interface HostileDocument {
  /** `config.tools.0.headers: keys of objects`. */
  name: string
  /** The path of the place alone. */
  place: string
  json(): string
}

/** A place of a schema: the keys leading to it, and each of its schemas, the root's first. */
interface Place {
  steps: readonly string[]
  schema: JsonObject
  /** The body around the place, which is to be replaced. */
  body: unknown
}

const MAX_STEPS = 6
const MARK = '\u{1f6a9}'

/** A small value that a schema most likely accepts: only required members. */
export function smallValue(schema: unknown): unknown {
  if (!isJsonObject(schema)) return 'a'
  if ('const' in schema) return schema.const
  if ('default' in schema) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf)) return smallValue(schema.anyOf[0])
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        (Array.isArray(schema.required) ? schema.required : []).map((name) => [
          String(name),
          smallValue(propertyOf(schema.properties, String(name))),
        ]),
      )
    case 'array':
      return Number(schema.minItems ?? 0) > 0 ? [smallValue(schema.items)] : []
    case 'string':
      return schema.format === 'uuid' ? '00000000-0000-4000-8000-000000000000' : 'a'
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    default:
      return null
  }
}

function placesOf(schema: unknown, base: unknown, known: Readonly<Record<string, object>>): Place[] {
  const found: Place[] = []
  const visit = (at: unknown, steps: readonly string[], put: (value: unknown) => unknown, own: unknown) => {
    if (!isJsonObject(at) || steps.length > MAX_STEPS) return
    found.push({ steps, schema: at, body: put(MARK) })
    for (const branch of Array.isArray(at.anyOf) ? at.anyOf : []) visit(branch, steps, put, undefined)
    const around = isJsonObject(own) ? own : smallValue(at)
    const members = isJsonObject(at.properties) ? at.properties : {}
    for (const [key, member] of Object.entries(members)) {
      const isOpen = steps.length < 2 && propertyOf(member, 'properties') === undefined
      const inner = (isOpen ? known[key] : undefined) ?? member
      const putIn = (value: unknown) => put({ ...(isJsonObject(around) ? around : {}), [key]: value })
      visit(inner, [...steps, key], putIn, propertyOf(own, key))
    }
    if (isJsonObject(at.items)) visit(at.items, [...steps, '0'], (value) => put([value]), undefined)
    if (isJsonObject(at.additionalProperties)) {
      visit(at.additionalProperties, [...steps, 'key'], (value) => put({ key: value }), undefined)
    }
  }
  visit(schema, [], (value) => value, base)
  return found
}

/** A place of a schema, and the JSON of a body that has another JSON there. */
export interface PlaceOfBody {
  place: string
  bodyWith(json: string): string
}

/** Every place of a schema. */
export function placesIn(
  schema: unknown,
  base: unknown,
  known: Readonly<Record<string, object>> = {},
): PlaceOfBody[] {
  return placesOf(schema, base, known).map(({ steps, body }) => ({
    place: steps.join('.'),
    bodyWith(json) {
      const [before = '', after = ''] = JSON.stringify(body).split(JSON.stringify(MARK))
      return before + json + after
    },
  }))
}

/**
 * Bodies of 1 MB for a schema: at every place of it, values that are wide, deep or fail many times.
 *
 * @param base an accepted body
 * @param known schemas of members that the schema leaves open, by key
 */
export function* hostileDocuments(
  schema: unknown,
  base: unknown,
  known: Readonly<Record<string, object>> = {},
): Generator<HostileDocument> {
  let scalars = 0
  for (const { steps, schema: at, body } of placesOf(schema, base, known)) {
    const place = steps.join('.')
    const [before = '', after = ''] = JSON.stringify(body).split(JSON.stringify(MARK))
    const inside = at.items ?? (isJsonObject(at.additionalProperties) ? at.additionalProperties : undefined)
    const values = hostileValues(inside === undefined ? undefined : smallValue(inside))
    if (isScalar(at)) scalars += 1
    for (const [index, { name, json }] of values.entries()) {
      // Places of numbers differ little from each other: each gets two of the values.
      if (isScalar(at) && (index + scalars) % 5 !== 0) continue
      yield { name: `${place}: ${name}`, place, json: () => before + json() + after }
    }
  }
}

function isScalar({ type, anyOf }: JsonObject): boolean {
  const types = [type].flat()
  return anyOf === undefined && type !== undefined && !types.includes('object') && !types.includes('array')
}
