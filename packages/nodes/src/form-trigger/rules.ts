import { FORM_FIELD_TYPES, mapRecord, validator } from '@troupe/contract'
import type { ConfigProblem } from '@troupe/graph'
import type { TSchema } from 'typebox'
import { fillDefaults, isObject } from '../definition/fill-defaults.ts'
import { HTTPS_URL, isHttpsUrl, isWebOrigin } from '../definition/patterns.ts'
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

/** Tokens have no space around their dots. */
function unreadableNames(fields: unknown): ConfigProblem[] {
  return objectsIn(fields).flatMap(([index, { name }]): ConfigProblem[] => {
    if (typeof name !== 'string' || name === name.trim()) return []
    const message = 'starts or ends with a space, so no token can read the answer'
    return [{ severity: 'warning', code: 'unreadable_name', path: `fields.${index}.name`, message }]
  })
}

/** An address of a form that has no usable host or port. */
function addressProblems(address: unknown, path: string): ConfigProblem[] {
  if (typeof address !== 'string' || isHttpsUrl(address)) return []
  return [blockingProblem(path, HTTPS_URL.patternMessage)]
}

/** Rules that the form schema cannot express: keys per field type, names, access, addresses. */
export function formProblems({
  fields,
  auth,
  embedOrigins,
  redirectUrl,
  theme,
}: Record<string, unknown>): ConfigProblem[] {
  const origins = Array.isArray(embedOrigins) ? embedOrigins : []
  const lacksUser = isObject(auth) && auth.mode === 'basic' && (auth.username ?? null) === null
  return [
    ...repeated(fields, 'name', 'fields', 'field'),
    ...unreadableNames(fields),
    ...objectsIn(fields).flatMap(([index, { name }]) =>
      // JSON bodies refuse such a key, so only the form page could submit it.
      name === '__proto__' ? [blockingProblem(`fields.${index}.name`, 'must not be __proto__')] : [],
    ),
    ...objectsIn(fields).flatMap(([index, field]) => fieldProblems(field, `fields.${index}`)),
    ...(lacksUser ? [blockingProblem('auth.username', 'is required when the mode is basic')] : []),
    ...addressProblems(redirectUrl, 'redirectUrl'),
    ...addressProblems(isObject(theme) ? theme.logoUrl : null, 'theme.logoUrl'),
    ...origins.flatMap((origin, index) =>
      typeof origin === 'string' && isWebOrigin(origin)
        ? []
        : [blockingProblem(`embedOrigins.${index}`, 'must be an origin such as https://example.com')],
    ),
  ]
}
