type Json = Readonly<Record<string, unknown>>

/** Deeper objects are empty in a sample. */
const DEEPEST = 4

/**
 * Arguments that fit a JSON Schema of a tool's input, to be filled in: the required ones, because an empty text is
 * invalid for many optional ones. All of them if the schema requires none.
 */
export function sampleArguments(schema: unknown): Record<string, unknown> {
  return isJson(schema) ? objectOf(schema, 0) : {}
}

function objectOf({ properties, required }: Json, depth: number): Record<string, unknown> {
  if (!isJson(properties) || depth >= DEEPEST) return {}
  const needed = requiredOf(required, properties)
  const names = needed.length > 0 ? needed : Object.keys(properties)
  return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name], depth + 1)]))
}

function requiredOf(required: unknown, properties: Json): string[] {
  if (!Array.isArray(required)) return []
  return required.filter(
    (name): name is string => typeof name === 'string' && Object.hasOwn(properties, name),
  )
}

function sampleOf(schema: unknown, depth: number): unknown {
  if (!isJson(schema)) return null
  const { type, default: preset, examples, enum: choices } = schema
  if (preset !== undefined) return preset
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  if (Array.isArray(choices) && choices.length > 0) return choices[0]
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return ''
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 0
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return objectOf(schema, depth)
    default:
      return null
  }
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
