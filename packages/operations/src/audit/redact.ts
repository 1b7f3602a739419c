const REDACTED = '[redacted]'
const SECRET_NAME =
  /secret|password|passwd|token|credential|authorization|cookie|api[_-]?key|private[_-]?key/i
/** Names that match the pattern above but hold no secret: numbers, times, or ids of a credential. */
const HARMLESS_NAME = /^(max|history|trigger|context)_.*tokens?$|_tokens$|^tokens$|_id$|_ms$|^context_keys$/i
/** Objects whose values may be credentials under any name. */
const SECRET_OBJECTS = new Set(['headers', 'credentials', 'query'])

/** A copy for the audit log: the values of secrets are replaced, the structure is kept. */
export function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, redactField(name, child)]))
}

function redactField(name: string, child: unknown): unknown {
  if (SECRET_OBJECTS.has(name)) return redactAll(child)
  if (child !== null && SECRET_NAME.test(name) && !HARMLESS_NAME.test(name)) return REDACTED
  return redact(child)
}

function redactAll(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === null ? null : REDACTED
  if (Array.isArray(value)) return value.map(redactAll)
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, redactAll(child)]))
}
