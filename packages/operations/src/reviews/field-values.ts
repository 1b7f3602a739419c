import { type FieldError, fieldPath, POINT_NOTATION, readTypedNumber } from '@troupe/contract'
import type { EditableField } from '@troupe/workflows/ports'

type Value = EditableField['value']

function typeFault({ type, options }: EditableField, value: unknown): string | null {
  switch (type) {
    case 'text':
    case 'textarea':
      return typeof value === 'string' ? null : 'must be a string'
    case 'number': {
      if (typeof value === 'number' && Number.isFinite(value)) return null
      const typed = typeof value === 'string' ? readTypedNumber(value, POINT_NOTATION) : null
      return typed?.ok === false ? typed.fault : 'must be a number'
    }
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be a boolean'
    case 'select':
      return typeof value === 'string' && options.includes(value)
        ? null
        : `must be one of: ${options.join(', ')}`
    default:
      return type satisfies never
  }
}

const isEmpty = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')

/**
 * The fields with the reviewer's values; unsent fields keep their proposed value. Reports all faults together, with
 * paths below `data`; a rejection may leave required fields empty, and undeclared names are refused, because a typo
 * would otherwise approve the proposed value.
 */
export function decidedFields(
  fields: readonly EditableField[],
  data: Readonly<Record<string, unknown>>,
  { isApproval }: { isApproval: boolean },
): { fields: EditableField[]; errors: FieldError[] } {
  const names = new Set(fields.map(({ name }) => name))
  const errors: FieldError[] = Object.keys(data)
    .filter((name) => !names.has(name))
    .map((name) => ({ path: fieldPath('data', name), message: 'is not a field of this review' }))
  const decided = fields.map((field) => {
    const path = `data.${field.name}`
    const value = Object.hasOwn(data, field.name) ? data[field.name] : field.value
    const fault = value === null ? null : typeFault(field, value)
    if (fault !== null) errors.push({ path, message: fault })
    else if (isApproval && field.required && isEmpty(value)) errors.push({ path, message: 'is required' })
    return { ...field, value: fault === null ? (value as Value) : field.value }
  })
  return { fields: decided, errors }
}

/** The values of fields by name. */
export function valuesOf(fields: readonly EditableField[]): Record<string, Value> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]))
}
