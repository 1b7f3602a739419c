import { isJsonObject } from '@troupe/contract'

/** Maximum subschemas to examine; a larger schema is not sent as strict. */
const MAX_SCHEMAS = 2_000

const LISTS = ['anyOf', 'allOf', 'oneOf', 'prefixItems']
const MAPS = ['properties', '$defs', 'definitions']

/**
 * Whether a schema may be sent as strict: every object names all its properties as required and allows no others.
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export function isStrict(schema: unknown): boolean {
  const open: unknown[] = [schema]
  for (let seen = 0; open.length > 0; seen += 1) {
    const one = open.pop()
    if (seen >= MAX_SCHEMAS || !isJsonObject(one)) return false
    if (!requiresAll(one)) return false
    for (const name of LISTS) if (Array.isArray(one[name])) open.push(...one[name])
    for (const name of MAPS) if (isJsonObject(one[name])) open.push(...Object.values(one[name]))
    if (isJsonObject(one.items)) open.push(one.items)
  }
  return true
}

function requiresAll({ type, properties, required, additionalProperties }: Record<string, unknown>): boolean {
  const isObject =
    type === 'object' || (Array.isArray(type) && type.includes('object')) || isJsonObject(properties)
  if (!isObject) return true
  const needed = new Set(Array.isArray(required) ? required : [])
  const names = Object.keys(isJsonObject(properties) ? properties : {})
  return additionalProperties === false && names.every((name) => needed.has(name))
}
