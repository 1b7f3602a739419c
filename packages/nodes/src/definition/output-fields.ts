import { isJsonObject } from '@troupe/contract'

/** A value below the output of a step, as known from its settings. */
export interface OutputField {
  /** Dotted, below the output. */
  path: string
  /** A type of JSON Schema; null: any. */
  type: string | null
}

/** Names that a token's path can contain. */
const NAME = /^[^{}.\s](?:[^{}.\n]*[^{}.\s])?$/
const MAX_DEPTH = 3
const MAX_FIELDS = 200

/** The field of a name, or none if no token can name it. */
export function outputField(name: unknown, type: string | null = null): OutputField[] {
  return typeof name === 'string' && NAME.test(name) ? [{ path: name, type }] : []
}

/** The fields of an output schema: its properties, three levels deep. */
export function schemaFields(schema: unknown): OutputField[] {
  return fieldsBelow(
    schema,
    (one) => (isJsonObject(one) && isJsonObject(one.properties) ? one.properties : null),
    schemaType,
  )
}

/** The fields of an example: its keys, three levels deep. */
export function exampleFields(example: unknown): OutputField[] {
  return fieldsBelow(example, (one) => (isJsonObject(one) ? one : null), exampleType)
}

function fieldsBelow(
  root: unknown,
  partsOf: (value: unknown) => Record<string, unknown> | null,
  typeOf: (value: unknown) => string | null,
): OutputField[] {
  const found: OutputField[] = []
  const add = (value: unknown, before: string, depth: number) => {
    for (const [name, inner] of Object.entries(partsOf(value) ?? {})) {
      if (found.length >= MAX_FIELDS) return
      if (!NAME.test(name)) continue
      const path = `${before}${name}`
      found.push({ path, type: typeOf(inner) })
      if (depth < MAX_DEPTH) add(inner, `${path}.`, depth + 1)
    }
  }
  add(root, '', 1)
  return found
}

function schemaType(schema: unknown): string | null {
  return isJsonObject(schema) && typeof schema.type === 'string' ? schema.type : null
}

function exampleType(value: unknown): string | null {
  if (value === null) return null
  return Array.isArray(value) ? 'array' : typeof value
}
