import type { TemplateField } from '@troupe/graph'
import type { TSchema } from 'typebox'
import { isObject, type PlainSchema } from './fill-defaults.ts'

function collect(schema: PlainSchema, value: unknown, path: string, found: TemplateField[]): void {
  if (value === undefined || value === null) return
  if (schema.template) {
    found.push({ path, value })
    return
  }
  const below = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`)
  const { items, properties } = schema
  if (items && Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(items, item, below(index), found)
  } else if (properties && isObject(value)) {
    for (const [key, inner] of Object.entries(properties)) {
      if (Object.hasOwn(value, key)) collect(inner, value[key], below(key), found)
    }
  }
}

/** The fields of a config that its schema marks as `Text` or `Value`, in the order of the schema. Never throws. */
export function templatesIn(schema: TSchema, config: unknown): TemplateField[] {
  const found: TemplateField[] = []
  collect(schema as PlainSchema, config, '', found)
  return found
}
