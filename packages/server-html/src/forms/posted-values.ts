import type { CompleteFormField } from '@troupe/nodes/form'
import { type FormBody, fieldText } from '../rendering/form-body.ts'
import { CONTROL, type EarlierUpload } from './field-markup.ts'

/** The submitted form: texts and lists of texts by field name. */
export function submittedValues(body: FormBody): Record<string, unknown> {
  // Defined, not assigned: a visitor may send `__proto__`.
  return Object.fromEntries([...body].filter(([name]) => !name.startsWith('form.')))
}

function textsOf(body: FormBody, name: string): readonly string[] {
  const value = body.get(name) ?? []
  return typeof value === 'string' ? [value] : value
}

/** The values of a field after a refused submission. Passwords must be entered again. */
export function valuesAfterRefusal(
  field: CompleteFormField,
  body: FormBody,
): { values: readonly string[]; uploads: readonly EarlierUpload[] } {
  const sent = textsOf(body, field.name)
  if (field.type === 'password') return { values: [], uploads: [] }
  if (field.type !== 'file') return { values: sent, uploads: [] }
  const uploads = sent
    .filter((id) => id !== '')
    .map((id) => ({ id, filename: fieldText(body, `${CONTROL.filename}${id}`) || 'File' }))
  return { values: [], uploads }
}

/** The initial values of a field: its default, or the URL's query where that is allowed. */
export function initialValues(
  field: CompleteFormField,
  query: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { type, name, prefill, defaultValue } = field
  const isNever = type === 'password' || type === 'file'
  if (prefill && !isNever && Object.hasOwn(query, name)) {
    const given = [query[name]].flat().filter((one) => typeof one === 'string')
    // One text per input; only checkboxes take several.
    return type === 'checkboxes' ? given : given.slice(0, 1)
  }
  if (isNever || type === 'hidden' || defaultValue === null) return []
  return [defaultValue].flat().map(String)
}
