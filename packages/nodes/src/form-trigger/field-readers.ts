import { checkedId, isUuid, POINT_NOTATION, readTypedNumber, UploadId } from '@troupe/contract'
import { compilePattern, MatchBudget, PatternTooCostly } from '@troupe/json-schema'
import type { FormFieldType } from './field-schemas.ts'
import { isDate, MAX_HIDDEN, optionValues } from './field-values.ts'
import type { CompleteFormField } from './form.ts'

/** The result of reading a field: a value for the workflow, the ids of uploaded files, or the reason for a refusal. */
export type FieldReading =
  | { kind: 'value'; value: string | number | string[] }
  | { kind: 'files'; ids: UploadId[] }
  | { kind: 'absent' }
  | { kind: 'fault'; message: string }

type Field<T extends FormFieldType> = Extract<CompleteFormField, { type: T }>

const MAX_PASSWORD = 10_000
const MAX_EMAIL = 254
/** Compares steps with the tolerance of browsers, because decimal fractions are not exact. */
const STEP_TOLERANCE = 1e-9

const fault = (message: string): FieldReading => ({ kind: 'fault', message })
const value = (read: string | number | string[]): FieldReading => ({ kind: 'value', value: read })
const characters = (count: number) => `${count} ${count === 1 ? 'character' : 'characters'}`
const isText = (given: unknown): given is string => typeof given === 'string'
const TEXT_WANTED = fault('must be text')

/** Browsers send line breaks as CR LF and count them as one character. */
function withPlainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** @throws PatternTooCostly */
function readText(field: Field<'text' | 'textarea'>, given: unknown, budget: MatchBudget): FieldReading {
  if (!isText(given)) return TEXT_WANTED
  const text = withPlainBreaks(given)
  if (field.required && text.trim() === '') return fault('is required')
  if (text.length < field.minLength) return fault(`must have at least ${characters(field.minLength)}`)
  if (text.length > field.maxLength) return fault(`must have at most ${characters(field.maxLength)}`)
  if (field.pattern !== null) {
    const pattern = compilePattern(field.pattern, budget)
    if (!pattern.ok || !pattern.matchWhole(text, budget)) return fault('does not have the expected form')
  }
  return value(text)
}

function readNumber({ min, max, step, required }: Field<'number'>, given: unknown): FieldReading {
  const typed = isText(given) ? readTypedNumber(given, POINT_NOTATION) : null
  if (typed?.ok === false) return fault(typed.fault)
  if (typed?.value === null) return required ? fault('is required') : { kind: 'absent' }
  const number = typed === null ? given : typed.value
  if (typeof number !== 'number' || !Number.isFinite(number)) return fault('must be a number')
  if (min !== null && number < min) return fault(`must be at least ${min}`)
  if (max !== null && number > max) return fault(`must be at most ${max}`)
  if (step !== null) {
    const steps = (number - (min ?? 0)) / step
    if (Math.abs(steps - Math.round(steps)) > STEP_TOLERANCE * Math.max(1, Math.abs(steps))) {
      return fault(`must be ${min === null ? 'a multiple' : `${min} plus a multiple`} of ${step}`)
    }
  }
  return value(number)
}

function isEmail(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  const hasDot = /^[^.]+(?:\.[^.]+)+$/.test(domain)
  return local !== '' && hasDot && more.length === 0 && !/\s/.test(text) && text.length <= MAX_EMAIL
}

function readEmail(given: unknown): FieldReading {
  if (!isText(given)) return TEXT_WANTED
  const text = given.length <= MAX_EMAIL * 2 ? given.trim() : ''
  return isEmail(text) ? value(text) : fault('must be an e-mail address')
}

function readPassword(given: unknown): FieldReading {
  if (!isText(given)) return TEXT_WANTED
  return given.length <= MAX_PASSWORD ? value(given) : fault(`must have at most ${characters(MAX_PASSWORD)}`)
}

function readDate({ min, max }: Field<'date'>, given: unknown): FieldReading {
  if (!isDate(given)) return fault('must be a date such as 2026-01-31')
  if (min !== null && given < min) return fault(`must not be before ${min}`)
  if (max !== null && given > max) return fault(`must not be after ${max}`)
  return value(given)
}

function readChoice(field: Field<'dropdown' | 'radio'>, given: unknown): FieldReading {
  return isText(given) && optionValues(field).includes(given)
    ? value(given)
    : fault('must be one of the options')
}

function readCheckboxes(field: Field<'checkboxes'>, given: unknown): FieldReading {
  const list = isText(given) ? [given] : given
  const offered = new Set(optionValues(field))
  if (!Array.isArray(list) || !list.every((one) => isText(one) && offered.has(one))) {
    return fault('must be a list of the options')
  }
  if (new Set(list).size < list.length) return fault('must not have an option twice')
  const { min, max } = field
  if (min !== null && list.length < min) return fault(`must have at least ${min} of the options`)
  if (max !== null && list.length > max) return fault(`must have at most ${max} of the options`)
  return value(list)
}

/** Accepts ids only: an attacker could send a forged file object (CVE-2026-21858). */
function readFiles({ multiple, maxFiles }: Field<'file'>, given: unknown): FieldReading {
  const list = isText(given) ? [given] : multiple ? given : null
  if (!Array.isArray(list) || !list.every(isUuid)) {
    return fault(multiple ? 'must be a list of ids of uploaded files' : 'must be the id of an uploaded file')
  }
  const ids = list.map((id) => checkedId(UploadId, id))
  if (new Set(ids).size < ids.length) return fault('must not have a file twice')
  if (ids.length > maxFiles)
    return fault(`must have at most ${maxFiles} ${maxFiles === 1 ? 'file' : 'files'}`)
  return { kind: 'files', ids }
}

function readHidden(given: unknown): FieldReading {
  if (!isText(given)) return TEXT_WANTED
  return given.length <= MAX_HIDDEN ? value(given) : fault(`must have at most ${characters(MAX_HIDDEN)}`)
}

function isAbsent(given: unknown): boolean {
  return given === undefined || given === null || given === '' || (Array.isArray(given) && given.length === 0)
}

/**
 * Reads the submitted value of one field.
 *
 * @param budget of pattern matching, shared by all fields of one submission
 */
export function readField(
  field: CompleteFormField,
  given: unknown,
  budget = new MatchBudget(),
): FieldReading {
  try {
    return readAny(field, given, budget)
  } catch (error) {
    if (error instanceof PatternTooCostly) return fault('is too long to be checked')
    throw error
  }
}

function readAny(field: CompleteFormField, given: unknown, budget: MatchBudget): FieldReading {
  if (isAbsent(given)) {
    if (field.type === 'hidden' && isText(field.defaultValue) && field.defaultValue !== '') {
      return value(field.defaultValue)
    }
    return field.required ? fault('is required') : { kind: 'absent' }
  }
  switch (field.type) {
    case 'text':
    case 'textarea':
      return readText(field, given, budget)
    case 'number':
      return readNumber(field, given)
    case 'email':
      return readEmail(given)
    case 'password':
      return readPassword(given)
    case 'date':
      return readDate(field, given)
    case 'dropdown':
    case 'radio':
      return readChoice(field, given)
    case 'checkboxes':
      return readCheckboxes(field, given)
    case 'file':
      return readFiles(field, given)
    case 'hidden':
      return readHidden(given)
    default:
      return field satisfies never
  }
}
