/** Every key of the tool context that a tool receives, with an empty value. */
export function sampleContext({
  context_keys: keys,
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!Array.isArray(keys)) return {}
  const names = keys.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && 'key' in one && typeof one.key === 'string' ? [one.key] : [],
  )
  return Object.fromEntries(names.map((key) => [key, '']))
}
