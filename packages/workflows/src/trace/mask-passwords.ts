import { REDACTED } from '@troupe/contract'
import type { TraceSecrets } from './trace-secrets.ts'

/**
 * Masks the values of a form's password fields: texts under the fields' names, and texts equal to such a value. All
 * other values are kept, even if they look like secrets, because reviewers decide on them.
 */
export function maskPasswords(value: unknown, secrets: TraceSecrets): unknown {
  if (secrets.names.size === 0) return value
  return masked(value, secrets)
}

function masked(value: unknown, secrets: TraceSecrets): unknown {
  if (typeof value === 'string') return secrets.values.includes(value) ? REDACTED : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((element) => masked(element, secrets))
  const entries = Object.entries(value).map(([name, held]): [string, unknown] => [
    name,
    typeof held === 'string' && held !== '' && secrets.names.has(name) ? REDACTED : masked(held, secrets),
  ])
  return Object.fromEntries(entries)
}
