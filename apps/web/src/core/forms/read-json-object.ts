import { readTypedJson } from './typed-json.ts'

/** The content of a JSON field. */
export type ReadJson =
  | { ok: true; value: Record<string, unknown> }
  | { ok: false; problem: 'notJson' | 'notObject' | 'longNumber' }

/** Reads a typed JSON object; an empty text is an empty object. */
export function readJsonObject(text: string): ReadJson {
  if (text.trim() === '') return { ok: true, value: {} }
  const read = readTypedJson(text)
  if (!read.ok) return { ok: false, problem: read.fault === null ? 'notJson' : 'longNumber' }
  return isObject(read.value) ? { ok: true, value: read.value } : { ok: false, problem: 'notObject' }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
