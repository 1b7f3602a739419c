import { FORM_FIELD_TYPES, mapRecord, validator } from '@troupe/contract'
import type { ConfigProblem } from '@troupe/graph'
import type { TSchema } from 'typebox'
import { fillDefaults, isObject } from '../definition/fill-defaults.ts'
import { blockingProblem, objectsIn, repeated } from '../definition/problems.ts'
import { formFieldFaults } from './field-rules.ts'
import { OWN_KEYS } from './field-schemas.ts'

const ownChecks = mapRecord(OWN_KEYS, (schema: TSchema) => validator(schema))

function fieldProblems(field: Record<string, unknown>, path: string): ConfigProblem[] {
  const type = FORM_FIELD_TYPES.find((known) => known === field.type)
  if (!type) return []
  const filled = fillDefaults(OWN_KEYS[type], field) as Record<string, unknown>
  const checked = ownChecks[type](filled, path)
  if (!checked.ok) return checked.errors.map((error) => blockingProblem(error.path, error.message))
  return formFieldFaults(type, filled).map(({ key, message }) => blockingProblem(`${path}.${key}`, message))
}

function isOrigin(text: unknown): boolean {
  // In a Content-Security-Policy, `*` matches every origin or every host of a domain.
  if (typeof text !== 'string' || !/^https?:\/\/[^*]+$/.test(text)) return false
  try {
    return new URL(text).origin === text
  } catch {
    return false
  }
}

/** Rules that the form schema cannot express: keys per field type, names, access, origins. */
export function formProblems({ fields, auth, embedOrigins }: Record<string, unknown>): ConfigProblem[] {
  const origins = Array.isArray(embedOrigins) ? embedOrigins : []
  const lacksUser = isObject(auth) && auth.mode === 'basic' && (auth.username ?? null) === null
  return [
    ...repeated(fields, 'name', 'fields', 'field'),
    ...objectsIn(fields).flatMap(([index, { name }]) =>
      // JSON bodies refuse such a key, so only the form page could submit it.
      name === '__proto__' ? [blockingProblem(`fields.${index}.name`, 'must not be __proto__')] : [],
    ),
    ...objectsIn(fields).flatMap(([index, field]) => fieldProblems(field, `fields.${index}`)),
    ...(lacksUser ? [blockingProblem('auth.username', 'is required when the mode is basic')] : []),
    ...origins.flatMap((origin, index) =>
      isOrigin(origin)
        ? []
        : [blockingProblem(`embedOrigins.${index}`, 'must be an origin such as https://example.com')],
    ),
  ]
}
