import { patternFault } from '@troupe/json-schema'
import type { FormFieldType } from './field-schemas.ts'
import { defaultFault, isDate, optionValues } from './field-values.ts'

/** A problem of one key of a field. */
export interface FieldFault {
  key: string
  message: string
}

type Field = Record<string, unknown>

function reversed(field: Field, low: string, high: string): FieldFault[] {
  const [from, to] = [field[low], field[high]]
  const isReversed =
    (typeof from === 'number' && typeof to === 'number') ||
    (typeof from === 'string' && typeof to === 'string')
      ? from > to
      : false
  return isReversed ? [{ key: high, message: `must not be less than ${low}` }] : []
}

function textFaults(field: Field): FieldFault[] {
  const fault = typeof field.pattern === 'string' ? patternFault(field.pattern) : null
  const pattern = fault === null ? [] : [{ key: 'pattern', message: fault }]
  return [...reversed(field, 'minLength', 'maxLength'), ...pattern]
}

function numberFaults(field: Field): FieldFault[] {
  const step = typeof field.step === 'number' && field.step <= 0
  return [...reversed(field, 'min', 'max'), ...(step ? [{ key: 'step', message: 'must be above 0' }] : [])]
}

function dateFaults(field: Field): FieldFault[] {
  const wrong = ['min', 'max'].filter((key) => typeof field[key] === 'string' && !isDate(field[key]))
  if (wrong.length > 0) return wrong.map((key) => ({ key, message: 'must be a date such as 2026-01-31' }))
  return reversed(field, 'min', 'max')
}

function optionFaults(field: Field): FieldFault[] {
  const offered = new Set<unknown>()
  return optionValues(field).flatMap((value, index) => {
    if (offered.has(value)) return [{ key: `options.${index}`, message: 'is offered twice' }]
    offered.add(value)
    return []
  })
}

function checkboxFaults(field: Field): FieldFault[] {
  const offered = optionValues(field).length
  const tooMany = typeof field.min === 'number' && field.min > offered
  return [
    ...optionFaults(field),
    ...(tooMany ? [{ key: 'min', message: `must be at most ${offered}, the number of options` }] : []),
    ...reversed(field, 'min', 'max'),
  ]
}

function prefillFaults(type: FormFieldType, { prefill }: Field): FieldFault[] {
  const never = type === 'password' || type === 'file'
  return never && prefill === true ? [{ key: 'prefill', message: `must be off for a ${type} field` }] : []
}

const OWN_FAULTS: Partial<Record<FormFieldType, (field: Field) => FieldFault[]>> = {
  text: textFaults,
  textarea: textFaults,
  number: numberFaults,
  date: dateFaults,
  dropdown: optionFaults,
  radio: optionFaults,
  checkboxes: checkboxFaults,
}

/** Problems of a field whose keys have the right types and their defaults. */
export function formFieldFaults(type: FormFieldType, field: Field): FieldFault[] {
  const own = OWN_FAULTS[type]?.(field) ?? []
  if (own.length > 0) return [...own, ...prefillFaults(type, field)]
  const message = defaultFault(type, field)
  return [...(message === null ? [] : [{ key: 'defaultValue', message }]), ...prefillFaults(type, field)]
}
