import { REDACTED } from './secret-texts.ts'
import type { TraceSecrets } from './trace-secrets.ts'

/**
 * A value without what was filled into the password fields of a form: texts under their names, and texts that are nothing
 * but such a value. Everything else stays as it is, whatever it looks like: people decide about it.
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
