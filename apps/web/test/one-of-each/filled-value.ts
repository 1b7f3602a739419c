import { isJsonObject, type JsonObject, propertyOf } from '@troupe/contract'

/** Values for the controls of the builder's forms that name something of the organization or need a certain shape. */
export type FilledControls = Readonly<Record<string, unknown>>

/**
 * A value of a JSON schema in which every field is set, and none as by default: of a list with several kinds of items one of
 * each kind, of other unions one with parts. It is for types that have no sample by hand; rules that a schema cannot express
 * may refuse it.
 */
export function filledValue(schema: unknown, controls: FilledControls = {}): unknown {
  if (!isJsonObject(schema)) return 'Filled in'
  const control = propertyOf(schema.form, 'control')
  if (typeof control === 'string' && control in controls) return controls[control]
  if (schema.const !== undefined) return schema.const
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((one) => one !== null) : []
  if (choices.length > 0) return choices.findLast((one) => one !== schema.default) ?? choices[0]
  const branches = branchesOf(schema)
  const branch = branches.find((one) => hasParts(propertyOf(one, 'type'))) ?? branches.at(-1)
  if (branch !== undefined) return filledValue(branch, controls)
  return valueOfType(schema, controls)
}

/** The branches of a union that are not null. */
function branchesOf(schema: unknown): unknown[] {
  const branches = propertyOf(schema, 'anyOf')
  return Array.isArray(branches) ? branches.filter((branch) => propertyOf(branch, 'type') !== 'null') : []
}

/** Whether values of a type have items or fields, which a plain value would leave unset. */
const hasParts = (type: unknown) => type === 'array' || type === 'object'

function valueOfType(schema: JsonObject, controls: FilledControls): unknown {
  const types = [schema.type].flat()
  switch (types.find(hasParts) ?? types[0]) {
    case 'boolean':
      return schema.default !== true
    case 'integer':
    case 'number': {
      const least = typeof schema.minimum === 'number' ? schema.minimum : 1
      return least === schema.default ? least + 1 : least
    }
    case 'array': {
      const kinds = branchesOf(schema.items)
      return (kinds.length > 0 ? kinds : [schema.items]).map((kind) => filledValue(kind, controls))
    }
    case 'object': {
      const { properties } = schema
      if (!isJsonObject(properties)) return { zeta: 1, alpha: [null] }
      const entries = Object.entries(properties)
      return Object.fromEntries(entries.map(([key, inner]) => [key, filledValue(inner, controls)]))
    }
    default:
      return textOf(schema)
  }
}

function textOf({ format, minLength, maxLength, default: standard }: JsonObject): string {
  if (format === 'uuid') return '3f0c1c7e-6a0e-4b7e-9d5a-0a6f4b1c2d3e'
  const text = standard === 'Filled in' ? 'Filled in too' : 'Filled in'
  const least = typeof minLength === 'number' ? minLength : 0
  return text.padEnd(least, '.').slice(0, typeof maxLength === 'number' ? maxLength : undefined)
}
