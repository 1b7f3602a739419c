import { isJsonObject, type JsonObject } from '@troupe/contract'

/** Maximum depth of nested compositions, and of all parts together: references can multiply them. */
const MOST_LEVELS = 4
const MOST_PARTS = 500
const MOST_ALTERNATIVES = 32
/** Keywords that OpenAI and Anthropic refuse at the top level of a tool's arguments. */
const REFUSED = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const'] as const

interface Search {
  root: JsonObject
  /** Remaining parts that may be read. */
  left: number
}

interface Members {
  properties: Map<string, unknown[]>
  required: Set<string>
}

/**
 * The arguments of a tool without `anyOf`, `oneOf`, `allOf`, `not` and `enum` at the top level, where OpenAI and Anthropic refuse the whole
 * request (https://github.com/nspady/google-calendar-mcp/issues/39): the properties of all parts together. It allows more than the schema,
 * against which the arguments are checked.
 */
export function flatArguments(schema: JsonObject): JsonObject {
  if (!REFUSED.some((key) => Object.hasOwn(schema, key))) return schema
  const { anyOf: _a, oneOf: _o, allOf: _l, not: _n, enum: _e, const: _c, ...own } = schema
  const { properties, required } = membersOf(schema, { root: schema, left: MOST_PARTS }, 0)
  const described = isJsonObject(schema.properties) ? schema.properties : {}
  const others = [...properties].filter(([name]) => !Object.hasOwn(described, name))
  if (others.length > 0) delete own.additionalProperties
  const choice = sentenceOf(schema)
  return {
    ...own,
    ...(choice === null
      ? {}
      : { description: [own.description, choice].filter((text) => typeof text === 'string').join('\n') }),
    properties: Object.fromEntries([
      ...Object.entries(described),
      ...others.map(([name, schemas]) => [name, either(schemas)]),
    ]),
    ...(required.size === 0 ? {} : { required: [...required] }),
  }
}

function membersOf(schema: JsonObject, search: Search, level: number): Members {
  const properties = new Map<string, unknown[]>()
  const required = new Set<string>()
  const add = (members: Members) => {
    for (const [name, schemas] of members.properties) {
      const known = properties.get(name)
      if (known) known.push(...schemas)
      else properties.set(name, [...schemas])
    }
  }
  search.left -= 1
  if (level > MOST_LEVELS || search.left < 0) return { properties, required }
  const of = (part: unknown) => membersOf(resolved(part, search.root), search, level + 1)
  for (const [name, inner] of Object.entries(isJsonObject(schema.properties) ? schema.properties : {})) {
    properties.set(name, [inner])
  }
  for (const name of Array.isArray(schema.required) ? schema.required : []) required.add(String(name))
  for (const part of listOf(schema.allOf)) {
    const members = of(part)
    add(members)
    for (const name of members.required) required.add(name)
  }
  for (const key of ['anyOf', 'oneOf']) {
    const alternatives = listOf(schema[key]).map(of)
    for (const members of alternatives) add(members)
    const [first, ...rest] = alternatives
    for (const name of first?.required ?? [])
      if (rest.every((other) => other.required.has(name))) required.add(name)
  }
  return { properties, required }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MOST_ALTERNATIVES) : []
}

function resolved(part: unknown, root: JsonObject): JsonObject {
  if (!isJsonObject(part)) return {}
  const { $ref } = part
  if (typeof $ref !== 'string' || !$ref.startsWith('#/$defs/')) return part
  const definition = isJsonObject(root.$defs) ? root.$defs[$ref.slice('#/$defs/'.length)] : undefined
  return isJsonObject(definition) ? definition : {}
}

/** A property that several parts describe. */
function either(schemas: readonly unknown[]): unknown {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  return different.length === 1 ? different[0] : { anyOf: different.slice(0, MOST_ALTERNATIVES) }
}

/** A sentence for the model about arguments that belong together. */
function sentenceOf({ anyOf, oneOf }: JsonObject): string | null {
  const alternatives = listOf(oneOf ?? anyOf)
  const lists = alternatives.map((part) =>
    isJsonObject(part) && Array.isArray(part.required) ? part.required : [],
  )
  if (lists.length < 2 || lists.some(({ length }) => length === 0)) return null
  return `${oneOf ? 'Exactly one' : 'At least one'} of these sets is needed: ${lists.map((names) => names.join(' and ')).join('; ')}.`
}
