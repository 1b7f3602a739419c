import { isJsonObject, type JsonObject } from '@troupe/contract'
import { schemaProblems } from '@troupe/json-schema'
import { followed } from './local-reference.ts'
import { SchemaReader } from './schema-with-definitions.ts'

/** A larger schema costs more of a prompt than it helps. */
const MAX_SCHEMA_CHARACTERS = 32 * 1024
/** How many references deep the schema goes, until one is small enough. */
const LEVELS = [16, 3, 1, 0]
const PLACES = ['path', 'query', 'header'] as const

/** Where an argument goes. */
export interface Argument {
  /** As the model names it. */
  argument: string
  /** As the server does. */
  name: string
  place: (typeof PLACES)[number] | 'body'
}

/** The arguments of an operation. */
export interface OperationInput {
  arguments: Argument[]
  /** The argument that is the whole body; null when the body's properties are arguments, or there is none. */
  wholeBody: string | null
  inputSchema: JsonObject
}

interface Parameter {
  name: string
  place: Argument['place']
  required: boolean
  schema: unknown
  description: unknown
}

function parametersOf(document: JsonObject, item: JsonObject, operation: JsonObject): Parameter[] {
  const found = new Map<string, Parameter>()
  for (const list of [item.parameters, operation.parameters]) {
    for (const given of Array.isArray(list) ? list : []) {
      const parameter = followed(document, given)
      const place = PLACES.find((one) => one === parameter?.in)
      if (!parameter || !place || typeof parameter.name !== 'string') continue
      const { name, description } = parameter
      const content = isJsonObject(parameter.content) ? Object.values(parameter.content)[0] : undefined
      const schema = parameter.schema ?? (isJsonObject(content) ? content.schema : undefined) ?? {}
      const required = place === 'path' || parameter.required === true
      // As OpenAPI says, these headers are described elsewhere.
      if (place === 'header' && /^(accept|content-type|authorization)$/i.test(name)) continue
      found.set(`${place} ${name}`, { name, place, required, schema, description })
    }
  }
  return [...found.values()]
}

/** The schema of a JSON body; undefined when the operation has none. */
function bodyOf(document: JsonObject, operation: JsonObject) {
  const request = followed(document, operation.requestBody)
  const content = isJsonObject(request?.content) ? request.content : {}
  const type = Object.keys(content).find((one) => /^application\/([a-z0-9.+-]{1,64}\+)?json\b/i.test(one))
  const media = type === undefined ? undefined : content[type]
  if (!isJsonObject(media)) return undefined
  return { schema: media.schema ?? {}, required: request?.required === true }
}

/** The properties of a plain object schema as parameters; null for any other schema. */
function propertiesOf(
  document: JsonObject,
  body: { schema: unknown; required: boolean },
): Parameter[] | null {
  const schema = followed(document, body.schema)
  if (!schema || !isJsonObject(schema.properties)) return null
  if (schema.allOf || schema.oneOf || schema.anyOf || isJsonObject(schema.additionalProperties)) return null
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  return Object.entries(schema.properties).flatMap(([name, property]) =>
    followed(document, property)?.readOnly === true
      ? []
      : [
          {
            name,
            place: 'body' as const,
            required: required.has(name),
            schema: property,
            description: undefined,
          },
        ],
  )
}

/** A name that every provider accepts for an argument, and that no earlier argument has. */
function argumentName(name: string, place: string, taken: ReadonlySet<string>): string {
  const valid =
    name
      .replaceAll(/[^A-Za-z0-9_-]/g, '_')
      .replace(/^[^A-Za-z_]/, '_$&')
      .slice(0, 50) || '_'
  if (!taken.has(valid)) return valid
  for (let count = 1; ; count += 1) {
    const next = count === 1 ? `${valid}_${place}` : `${valid}_${place}${count}`
    if (!taken.has(next)) return next
  }
}

function schemaOf(
  document: JsonObject,
  placed: readonly { parameter: Parameter; argument: string }[],
  levels: number,
): JsonObject {
  const reader = new SchemaReader(document, levels)
  const properties = placed.map(({ parameter: { schema, description }, argument }) => {
    const read = reader.read(schema)
    const described = typeof description === 'string' ? { description: description.slice(0, 1_000) } : {}
    return [argument, isJsonObject(read) ? { ...described, ...read } : described] as const
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: placed.flatMap(({ parameter, argument }) => (parameter.required ? [argument] : [])),
    additionalProperties: false,
    ...(Object.keys(reader.definitions).length === 0 ? {} : { $defs: reader.definitions }),
  }
}

/** The arguments of an operation and their schema; null when no schema of it can be used. */
export function operationInput(
  document: JsonObject,
  item: JsonObject,
  operation: JsonObject,
): OperationInput | null {
  const parameters = parametersOf(document, item, operation)
  const body = bodyOf(document, operation)
  const inBody = body && propertiesOf(document, body)
  const whole: Parameter[] =
    body && !inBody
      ? [
          {
            name: 'body',
            place: 'body',
            required: body.required,
            schema: body.schema,
            description: undefined,
          },
        ]
      : []
  const taken = new Set<string>()
  const placed = [...parameters, ...(inBody ?? []), ...whole].map((parameter) => {
    const argument = argumentName(parameter.name, parameter.place, taken)
    taken.add(argument)
    return { parameter, argument }
  })
  for (const levels of LEVELS) {
    const inputSchema = schemaOf(document, placed, levels)
    if (JSON.stringify(inputSchema).length > MAX_SCHEMA_CHARACTERS) continue
    if (schemaProblems(inputSchema, '').length > 0) continue
    return {
      arguments: placed.map(({ parameter: { name, place }, argument }) => ({ argument, name, place })),
      wholeBody: (whole.length > 0 && placed.at(-1)?.argument) || null,
      inputSchema,
    }
  }
  return null
}
