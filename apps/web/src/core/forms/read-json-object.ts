/** What a field of JSON holds. */
export type ReadJson =
  | { ok: true; value: Record<string, unknown> }
  | { ok: false; problem: 'notJson' | 'notObject' }

/** Reads a typed JSON object; an empty text is an empty object. */
export function readJsonObject(text: string): ReadJson {
  if (text.trim() === '') return { ok: true, value: {} }
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? { ok: true, value } : { ok: false, problem: 'notObject' }
  } catch {
    return { ok: false, problem: 'notJson' }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
