import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import type { FieldError } from '../errors/error-body.ts'
import { fieldPath, MAX_FIELD_ERRORS, shortened } from '../errors/field-path.ts'
import { isJsonObject, propertyOf } from '../schema/json-object.ts'

/** `/config/model/0` → `config.model.0`, below an optional prefix. */
function dotted(pointer: string, prefix: string): string {
  const path = shortened(pointer.slice(1)).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
  return [prefix, path].filter((part) => part !== '').join('.')
}

/** `/config/a~1b` → `/config` and `a/b`. */
function parted(pointer: string): [parent: string, name: string] {
  const at = pointer.lastIndexOf('/')
  return [
    pointer.slice(0, at),
    pointer
      .slice(at + 1)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~'),
  ]
}

function list(values: readonly unknown[]): string {
  return values.map((value) => (value === null ? 'null' : String(value))).join(', ')
}

/** The part of a schema that `#/properties/…` points to. */
function schemaAt(schema: TSchema, schemaPath: string): Record<string, unknown> {
  let at: unknown = schema
  for (const step of schemaPath.split('/').slice(1)) {
    at = propertyOf(at, decodeURIComponent(step))
  }
  return isJsonObject(at) ? at : {}
}

/** A JSON type with its article: `an object`; null has none. */
function withArticle(type: unknown): string {
  if (type === 'null') return 'null'
  return `${/^[aeio]/.test(String(type)) ? 'an' : 'a'} ${type}`
}

function items(count: number | bigint): string {
  return `${count} ${Number(count) === 1 ? 'item' : 'items'}`
}

function characters(count: number | bigint): string {
  return `${count} ${Number(count) === 1 ? 'character' : 'characters'}`
}

/** One branch of a union in words. */
function branch(schema: Record<string, unknown>): string {
  if (Array.isArray(schema.enum)) return `one of: ${list(schema.enum)}`
  if ('const' in schema) return JSON.stringify(schema.const)
  const required = Array.isArray(schema.required) ? ` with ${list(schema.required)}` : ''
  return `${schema.type === undefined ? 'another value' : withArticle(schema.type)}${required}`
}

function union(schema: Record<string, unknown>): string {
  const branches = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isJsonObject) : []
  return `must be ${[...new Set(branches.map(branch))].join(', or ')}`
}

function sentence(error: TLocalizedValidationError, schema: TSchema): string {
  switch (error.keyword) {
    case 'pattern': {
      // A schema may describe its pattern in words.
      const { patternMessage } = schemaAt(schema, error.schemaPath)
      return typeof patternMessage === 'string' ? patternMessage : error.message
    }
    case 'anyOf':
      return union(schemaAt(schema, error.schemaPath))
    case 'type': {
      const types = [error.params.type].flat()
      return `must be ${types.map(withArticle).join(' or ')}`
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
        : `must have at least ${characters(error.params.limit)}`
    case 'maxLength':
      return `must have at most ${characters(error.params.limit)}`
    case 'minimum':
      return `must be at least ${error.params.limit}`
    case 'maximum':
      return `must be at most ${error.params.limit}`
    case 'exclusiveMinimum':
      return `must be above ${error.params.limit}`
    case 'maxItems':
      return `must have at most ${items(error.params.limit)}`
    case 'minItems':
      return `must have at least ${items(error.params.limit)}`
    default:
      return error.message
  }
}

/**
 * Rewrites schema errors for users: one entry per failed path, missing and unknown properties listed individually, and
 * the nested errors of a failed union omitted.
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
  const add = (path: string, message: string) => {
    if (!found.has(path) && found.size <= MAX_FIELD_ERRORS) found.set(path, { path, message })
  }
  for (const error of errors) {
    if (unions.some((inner) => error.schemaPath.startsWith(inner))) continue
    const path = dotted(error.instancePath, prefix)
    if (error.keyword === 'required') {
      for (const name of error.params.requiredProperties) add(fieldPath(path, name), 'is required')
    } else if (error.keyword === 'additionalProperties') {
      // Where additional keys are allowed but have a schema, their own failure is more specific.
      if (schemaAt(schema, error.schemaPath).additionalProperties !== false) continue
      for (const name of error.params.additionalProperties) add(fieldPath(path, name), 'is not a known field')
    } else if (error.keyword === 'boolean') {
      // An unknown key. The library lists the names together as well, but not when it has found too many failures before.
      const [parent, name] = parted(error.instancePath)
      add(fieldPath(dotted(parent, prefix), name), 'is not a known field')
    } else {
      add(path, sentence(error, schema))
    }
  }
  return [...found.values()]
}
