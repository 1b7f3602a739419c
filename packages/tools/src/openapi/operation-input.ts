import { isJsonObject, type JsonObject, shortened } from '@troupe/contract'
import { repairedSchema } from '@troupe/json-schema'
import { followed } from './local-reference.ts'
import { type BodyPlan, NotOffered, type ParameterPlan } from './operation-request.ts'
import type { Parameter } from './parameters.ts'
import { type BodyChoice, hasFile } from './request-body.ts'
import { SchemaReader, SchemaTooLarge } from './schema-with-definitions.ts'

/** A larger schema takes up more of a prompt than it helps. */
const MAX_SCHEMA_CHARACTERS = 32 * 1024
/** The depth of references in the schema, reduced until one is small enough. */
const LEVELS = [16, 3, 1, 0]
const FILE = 'The content of a file: its text, or a data: URL with base64 (data:image/png;base64,…).'

/** The arguments of an operation. */
export interface OperationInput {
  parameters: ParameterPlan[]
  body: BodyPlan | null
  inputSchema: JsonObject
  /** Length of the schema as JSON. */
  characters: number
}

/** A value from the model. */
interface Given {
  argument: string
  required: boolean
  schema: unknown
  description: unknown
  isFile: boolean
}

/** A name that every provider accepts for an argument, and that no earlier argument has. */
function argumentName(name: string, place: string, taken: Set<string>): string {
  const valid =
    name
      .slice(0, 50)
      .replaceAll(/[^A-Za-z0-9_-]/g, '_')
      .replace(/^[^A-Za-z_]/, '_$&')
      .slice(0, 50) || '_'
  const names = function* () {
    yield valid
    yield `${valid}_${place}`
    for (let count = 2; ; count += 1) yield `${valid}_${place}${count}`
  }
  for (const next of names()) {
    if (taken.has(next)) continue
    taken.add(next)
    return next
  }
  return valid
}

/** The arguments of an operation: its parameters, then the properties of its body or the body as a whole. */
function plansOf(parameters: readonly Parameter[], body: BodyChoice | null) {
  const taken = new Set<string>()
  const given: Given[] = []
  const plans = parameters.map(({ name, place, format, required, schema, description }): ParameterPlan => {
    const argument = argumentName(name, place, taken)
    given.push({ argument, required, schema, description, isFile: false })
    return { argument, name, place, format }
  })
  if (body === null) return { parameters: plans, body: null, given }
  const { kind, mediaType, required } = body
  const fieldPlan = ({ name, format, part }: (typeof body.special)[number], argument: string) => ({
    argument,
    name,
    format,
    part,
  })
  if (body.properties === null) {
    const whole = argumentName('body', 'body', taken)
    given.push({ argument: whole, required, schema: body.schema, description: undefined, isFile: false })
    const fields = body.special.map((one) => fieldPlan(one, one.name))
    return { parameters: plans, body: { kind, mediaType, required, whole, fields }, given }
  }
  const fields = body.properties.map((property) => {
    const argument = argumentName(property.name, 'body', taken)
    const { schema, part } = property
    given.push({ argument, required: property.required, schema, description: undefined, isFile: part.isFile })
    return fieldPlan(property, argument)
  })
  return { parameters: plans, body: { kind, mediaType, required, whole: null, fields }, given }
}

/** The description of a file for the model, in place of its schema. */
function fileSchema(document: JsonObject, given: unknown): JsonObject {
  const schema = followed(document, given) ?? {}
  const description = [schema.description, FILE].filter((text) => typeof text === 'string').join(' ')
  const isList =
    schema.type === 'array' ||
    (schema.items !== undefined && !hasFile(document, { ...schema, items: undefined }))
  return isList ? { type: 'array', items: { type: 'string' }, description } : { type: 'string', description }
}

function schemaOf(document: JsonObject, given: readonly Given[], levels: number): JsonObject {
  const reader = new SchemaReader(document, levels, 2 * MAX_SCHEMA_CHARACTERS)
  const properties = given.map(({ argument, schema, description, isFile }) => {
    const read = reader.read(isFile ? fileSchema(document, schema) : schema)
    const described = typeof description === 'string' ? { description: description.slice(0, 1_000) } : {}
    return [argument, isJsonObject(read) ? { ...described, ...read } : described] as const
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: given.flatMap(({ argument, required }) => (required ? [argument] : [])),
    additionalProperties: false,
    ...(Object.keys(reader.definitions).length === 0 ? {} : { $defs: reader.definitions }),
  }
}

/**
 * The arguments of an operation and their schema.
 *
 * @throws NotOffered if no schema of it can be used
 */
export function operationInput(
  document: JsonObject,
  given: readonly Parameter[],
  choice: BodyChoice | null,
): OperationInput {
  const plans = plansOf(given, choice)
  let problem = 'is larger than 32 KB'
  for (const levels of LEVELS) {
    try {
      const repaired = repairedSchema(schemaOf(document, plans.given, levels))
      if (!repaired.ok) {
        problem = repaired.problem
        continue
      }
      const { length: characters } = JSON.stringify(repaired.schema)
      if (characters <= MAX_SCHEMA_CHARACTERS) {
        return { parameters: plans.parameters, body: plans.body, inputSchema: repaired.schema, characters }
      }
      problem = 'is larger than 32 KB'
    } catch (error) {
      if (!(error instanceof SchemaTooLarge)) throw error
      problem = 'is larger than 32 KB'
    }
  }
  throw new NotOffered(`The schema of its arguments ${shortened(problem, 200)}.`)
}
