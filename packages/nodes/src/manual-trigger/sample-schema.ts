import { isJsonObject } from '@troupe/contract'

/** The schema of inputs that look like a manual trigger's sample; null when it is no object. */
export function schemaOfSample(sample: unknown): Record<string, unknown> | null {
  if (!isJsonObject(sample)) return null
  const known = Object.entries(sample).filter(([, value]) => value !== null)
  const properties = Object.fromEntries(known.map(([name, value]) => [name, { type: jsonType(value) }]))
  return { type: 'object', properties }
}

function jsonType(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}
