import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import type { FieldError } from '../errors/error-body.ts'

/** `/config/model/0` → `config.model.0`, below an optional prefix. */
function dotted(pointer: string, prefix: string): string {
  const path = pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
  return [prefix, path].filter((part) => part !== '').join('.')
}

function list(values: readonly unknown[]): string {
  return values.map((value) => (value === null ? 'null' : String(value))).join(', ')
}

/** A schema may say in words what its pattern asks for: the keyword `patternMessage`. */
function patternMessage(schema: TSchema, schemaPath: string): string | undefined {
  const steps = schemaPath.split('/').slice(1)
  let at: unknown = schema
  for (const step of steps) at = (at as Record<string, unknown> | undefined)?.[decodeURIComponent(step)]
  return (at as { patternMessage?: string } | undefined)?.patternMessage
}

function sentence(error: TLocalizedValidationError, schema: TSchema): string {
  switch (error.keyword) {
    case 'pattern':
      return patternMessage(schema, error.schemaPath) ?? error.message
    case 'type': {
      const types = error.params.type
      return `must be ${Array.isArray(types) ? types.join(' or ') : types}`
    }
    case 'enum':
      return `must be one of: ${list(error.params.allowedValues)}`
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`
    case 'format':
      return error.params.format === 'uuid' ? 'must be a UUID' : `must be a valid ${error.params.format}`
    case 'minLength':
      return error.params.limit === 1
        ? 'must not be empty'
        : `must have at least ${error.params.limit} characters`
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`
    case 'minimum':
      return `must be at least ${error.params.limit}`
    case 'maximum':
      return `must be at most ${error.params.limit}`
    case 'maxItems':
      return `must have at most ${error.params.limit} items`
    case 'minItems':
      return `must have at least ${error.params.limit} items`
    default:
      return error.message
  }
}

/**
 * Rewrites schema errors for people: one entry for each failed place, missing and unknown properties named one by one,
 * and the inner noise of a failed union left out.
 */
export function toFieldErrors(
  schema: TSchema,
  errors: readonly TLocalizedValidationError[],
  prefix = '',
): FieldError[] {
  const unions = errors
    .filter((error) => error.keyword === 'anyOf')
    .map((error) => `${error.schemaPath}/anyOf/`)
  const found = new Map<string, FieldError>()
  const add = (path: string, message: string) => found.set(`${path}\n${message}`, { path, message })
  for (const error of errors) {
    if (unions.some((inner) => error.schemaPath.startsWith(inner))) continue
    const path = dotted(error.instancePath, prefix)
    const child = (name: string) => (path === '' ? name : `${path}.${name}`)
    if (error.keyword === 'required') {
      for (const name of error.params.requiredProperties) add(child(name), 'is required')
    } else if (error.keyword === 'additionalProperties') {
      for (const name of error.params.additionalProperties) add(child(name), 'is not a known field')
    } else if (error.keyword !== 'boolean') {
      add(path, sentence(error, schema))
    }
  }
  return [...found.values()]
}
