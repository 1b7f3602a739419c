/**
 * The object with another name and value for one of its keys, in the same position: configurations are compared as text, and applying an
 * export to its origin must change nothing.
 */
export function withRenamedKey(
  value: Readonly<Record<string, unknown>>,
  from: string,
  to: string,
  next: unknown,
): Record<string, unknown> {
  const entries = Object.entries(value).filter(([key]) => key !== to)
  return Object.fromEntries(entries.map(([key, one]) => (key === from ? [to, next] : [key, one])))
}
