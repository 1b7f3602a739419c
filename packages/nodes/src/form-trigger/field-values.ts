import { isJsonObject } from '@troupe/contract'
import type { FormFieldType } from './field-schemas.ts'

type Field = Record<string, unknown>

/** Maximum characters of a hidden field. */
export const MAX_HIDDEN = 10_000

function optionValue(option: unknown): unknown {
  return isJsonObject(option) ? option.value : option
}

/** The values that a choice offers. */
export function optionValues({ options }: Field): unknown[] {
  return Array.isArray(options) ? options.map(optionValue) : []
}

/** Whether a text is an existing calendar date, `YYYY-MM-DD`. */
export function isDate(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const isNumeric = (value: unknown) =>
  typeof value === 'number' ||
  (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))

/** The reason that the default value of a field is invalid; null if it is valid or absent. */
export function defaultFault(type: FormFieldType, field: Field): string | null {
  const { defaultValue: value } = field
  if (value === null || value === undefined || value === '') return null
  switch (type) {
    case 'password':
    case 'file':
      return `must not be set for a ${type} field`
    case 'number':
      return isNumeric(value) ? null : 'must be a number'
    case 'date':
      return isDate(value) ? null : 'must be a date such as 2026-01-31'
    case 'dropdown':
    case 'radio':
      return optionValues(field).includes(value) ? null : 'must be one of the options'
    case 'checkboxes': {
      const offered = optionValues(field)
      const isOffered = Array.isArray(value) && value.every((item) => offered.includes(item))
      return isOffered ? null : 'must be a list of options'
    }
    case 'hidden':
      if (typeof value !== 'string') return 'must be a string'
      return value.length > MAX_HIDDEN ? `must have at most ${MAX_HIDDEN} characters` : null
    case 'text':
    case 'textarea':
    case 'email':
      return typeof value === 'string' ? null : 'must be a string'
    default:
      return type satisfies never
  }
}
