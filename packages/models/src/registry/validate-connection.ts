import { fieldPath, type ProviderId } from '@troupe/contract'
import type { ConnectionField, ConnectionInput, ConnectionProblem } from '../provider/provider.ts'
import { PROVIDERS } from './providers.ts'

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Every reason why the input is not a valid connection of this provider; empty if it is. Makes no request. */
export function validateConnection(providerId: ProviderId, input: ConnectionInput): ConnectionProblem[] {
  const { description, check } = PROVIDERS[providerId]
  return [
    ...baseUrlProblems(description.baseUrl, input.baseUrl),
    ...fieldProblems('credentials', description.credentials, input.credentials),
    ...fieldProblems('settings', description.settings, input.settings),
    ...(check?.(input) ?? []),
  ]
}

function baseUrlProblems(
  rule: 'required' | 'optional' | 'none',
  baseUrl: string | null,
): ConnectionProblem[] {
  const problem = (message: string) => [{ path: 'baseUrl', message }]
  if (baseUrl === null || baseUrl === '') return rule === 'required' ? problem('is required') : []
  if (rule === 'none') return problem('is not used by this provider')
  if (!URL.canParse(baseUrl)) return problem('must be an absolute URL')
  const url = new URL(baseUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return problem('must start with https:// or http://')
  if (url.username || url.password) return problem('must not contain credentials')
  if (url.search || url.hash) return problem('must not contain a query or a fragment')
  return []
}

function fieldProblems(
  group: 'credentials' | 'settings',
  fields: readonly ConnectionField[],
  values: Record<string, unknown>,
): ConnectionProblem[] {
  const problems: ConnectionProblem[] = []
  for (const field of fields) {
    const message = fieldProblem(field, values[field.name])
    if (message !== null) problems.push({ path: `${group}.${field.name}`, message })
  }
  for (const name of Object.keys(values)) {
    if (fields.some((field) => field.name === name)) continue
    problems.push({ path: fieldPath(group, name), message: 'is not known to this provider' })
  }
  return problems
}

function fieldProblem(field: ConnectionField, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return field.required ? 'is required' : null
  switch (field.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false'
    case 'integer':
      return integerProblem(value, field.range)
    case 'choice':
      return field.choices?.some((choice) => choice === value)
        ? null
        : `must be one of ${field.choices?.join(', ')}`
    case 'headers':
      return isHeaders(value) ? null : 'must be an object of header names and values'
    case 'string':
      if (typeof value !== 'string') return 'must be a string'
      // A key with a line break would fail inside the HTTP client with the key in its message.
      if (!HEADER_VALUE.test(value) || value.trim() !== value)
        return 'must not contain line breaks or outer spaces'
      return field.pattern && !field.pattern.test(value) ? (field.hint ?? 'is not valid') : null
    default:
      return field.kind satisfies never
  }
}

function integerProblem(
  value: unknown,
  [least, greatest]: NonNullable<ConnectionField['range']> = [1, Number.MAX_SAFE_INTEGER],
): string | null {
  const isWithin = Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= greatest
  return isWithin ? null : `must be a whole number from ${least} to ${greatest}`
}

function isHeaders(value: unknown): boolean {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false
  return Object.entries(value).every(
    ([name, text]) => HEADER_NAME.test(name) && typeof text === 'string' && HEADER_VALUE.test(text),
  )
}
