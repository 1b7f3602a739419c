import type { TSchema } from 'typebox'

/** The parts of a JSON schema that defaults and templates are read from. */
export interface PlainSchema {
  properties?: Record<string, PlainSchema>
  items?: PlainSchema
  default?: unknown
  template?: 'text' | 'value'
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fill(schema: PlainSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    return items ? value.map((item) => fill(items, item)) : value
  }
  const { properties } = schema
  if (!properties || !isObject(value)) return value
  const filled = new Map(Object.entries(value))
  for (const [key, inner] of Object.entries(properties)) {
    if (Object.hasOwn(value, key) && value[key] !== undefined) filled.set(key, fill(inner, value[key]))
    else if (inner.default !== undefined) filled.set(key, fill(inner, structuredClone(inner.default)))
  }
  return Object.fromEntries(filled)
}

/** A copy of a config with defaults for all absent keys, including those in list items. Never throws. */
export function fillDefaults(schema: TSchema, config: unknown): unknown {
  return fill(schema as PlainSchema, config)
}
