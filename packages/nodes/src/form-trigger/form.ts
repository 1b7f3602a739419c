import type { Checked } from '@troupe/contract'
import type { Static } from 'typebox'
import { fillDefaults } from '../definition/fill-defaults.ts'
import { formTrigger } from './definition.ts'
import { type FormField, type FormFieldType, OWN_KEYS } from './field-schemas.ts'

type Common = Omit<Static<typeof FormField>, 'type'>

/** A field of a form with its defaults, by its type. */
export type CompleteFormField = {
  [T in FormFieldType]: Common & { type: T } & Static<(typeof OWN_KEYS)[T]>
}[FormFieldType]

/** A form with its defaults filled in. */
export type Form = Omit<Static<typeof formTrigger.schema>, 'fields'> & { fields: CompleteFormField[] }

/** Reads the config of a Form Trigger, or returns every problem that prevents publishing. Unknown keys are kept. */
export function readForm(config: Record<string, unknown>): Checked<Form> {
  const problems = formTrigger.check(config).filter(({ severity }) => severity === 'block')
  const read = formTrigger.read(config)
  if (!read.ok || problems.length > 0) {
    return { ok: false, errors: problems.map(({ path, message }) => ({ path, message })) }
  }
  const fields = read.value.fields.map(
    (field) => fillDefaults(OWN_KEYS[field.type], field) as CompleteFormField,
  )
  return { ok: true, value: { ...read.value, fields } }
}
