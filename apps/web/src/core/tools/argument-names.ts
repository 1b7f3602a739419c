/** An argument of a tool, as a list shows it. */
export interface ToolArgument {
  name: string
  /** The JSON type; empty if the schema has none. */
  type: string
  isRequired: boolean
}

/** More are in the schema. */
const MOST = 30

/** The arguments that a JSON Schema names, required ones first. */
export function argumentsOf(schema: Readonly<Record<string, unknown>> | null): ToolArgument[] {
  const properties = schema?.properties
  if (typeof properties !== 'object' || properties === null) return []
  const required = Array.isArray(schema?.required) ? schema.required : []
  const all = Object.entries(properties).map(([name, property]: [string, unknown]) => ({
    name,
    type: typeOf(property),
    isRequired: required.includes(name),
  }))
  return all.sort((a, b) => Number(b.isRequired) - Number(a.isRequired)).slice(0, MOST)
}

/** The optional arguments of a schema that requires others. */
export function optionalArguments(schema: Readonly<Record<string, unknown>>): string[] {
  const args = argumentsOf(schema)
  return args.some(({ isRequired }) => isRequired)
    ? args.filter(({ isRequired }) => !isRequired).map(({ name }) => name)
    : []
}

function typeOf(property: unknown): string {
  if (typeof property !== 'object' || property === null || !('type' in property)) return ''
  const { type } = property
  const types = Array.isArray(type) ? type : [type]
  return types.filter((one) => typeof one === 'string').join(' or ')
}
