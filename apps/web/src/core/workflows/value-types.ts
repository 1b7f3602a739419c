import { literalOf } from './literal-text.ts'

/** The editor type of a value. Tokens are texts. */
export const VALUE_TYPES = ['text', 'number', 'boolean', 'json'] as const
export type ValueType = (typeof VALUE_TYPES)[number]

/** The editor type of a stored value; null and undefined: none yet. */
export function valueTypeOf(value: unknown): ValueType {
  if (value === null || value === undefined || typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : 'json'
}

/** A value when another type is chosen for it: the same one where it can be, as a text where it cannot; undefined for none. */
export function valueAs(type: ValueType, value: unknown): unknown {
  const text = textOf(value)
  switch (type) {
    case 'text':
      return text
    case 'number':
    case 'boolean':
      return literalOf(type, text) ?? undefined
    case 'json':
      return jsonOf(text) ?? value ?? undefined
    default:
      return type satisfies never
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** An object or a list that a text is; undefined for any other text. */
function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
