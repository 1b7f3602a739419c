/**
 * The object with another name and another value for one of its keys, in the same place: configurations are compared as text,
 * and applying an export must change nothing where it comes from.
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
