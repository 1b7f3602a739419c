import type { EditableField } from '@troupe/workflows/ports'

const DECIMAL = /^-?\d+(?:\.\d+)?$/

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : null
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * The proposed value of a field if it has the field's type, else null. An approval without changes is therefore always
 * valid for the types of its fields.
 */
export function proposedValue(
  type: EditableField['type'],
  options: readonly string[],
  value: unknown,
): EditableField['value'] {
  switch (type) {
    case 'text':
    case 'textarea':
      return textOf(value)
    case 'number':
      return numberOf(value)
    case 'select': {
      const option = textOf(value)
      return option !== null && options.includes(option) ? option : null
    }
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    default:
      return type satisfies never
  }
}
