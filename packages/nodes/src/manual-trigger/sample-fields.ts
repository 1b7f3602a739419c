import { isJsonObject } from '@troupe/contract'

/** A field that a caller may send. */
export interface CallField {
  name: string
  /** A type of JSON Schema. */
  type: string
  required: boolean
}

/** The fields of inputs with the shape of a manual trigger's sample; null when it is not an object. */
export function fieldsOfSample(sample: unknown): CallField[] | null {
  if (!isJsonObject(sample)) return null
  return Object.entries(sample).flatMap(([name, value]) =>
    value === null ? [] : [{ name, type: Array.isArray(value) ? 'array' : typeof value, required: false }],
  )
}
