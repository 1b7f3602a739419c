/** The types of editable fields for reviewers. */
export const REVIEW_FIELD_TYPES = ['text', 'textarea', 'number', 'select', 'boolean'] as const

const DECIMAL = /^-?\d+(?:\.\d+)?$/

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : null
}

function booleanOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.trim() : null
  return text === 'true' || text === 'false' ? text === 'true' : null
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
  type: (typeof REVIEW_FIELD_TYPES)[number],
  options: readonly string[],
  value: unknown,
): string | number | boolean | null {
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
      return booleanOf(value)
    default:
      return type satisfies never
  }
}
