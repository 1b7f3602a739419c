import type { Static } from 'typebox'
import { fillDefaults } from '../definition/fill-defaults.ts'
import type { formTrigger } from './definition.ts'
import type { FormField, FormFieldType, OWN_KEYS } from './field-schemas.ts'
import { OWN_KEYS as SCHEMAS } from './field-schemas.ts'

type Common = Omit<Static<typeof FormField>, 'type'>

/** A field of a form with its defaults, by its type. */
export type CompleteFormField = {
  [T in FormFieldType]: Common & { type: T } & Static<(typeof OWN_KEYS)[T]>
}[FormFieldType]

/** The config of a Form Trigger with its defaults. */
export type FormConfig = Static<typeof formTrigger.schema>

/** The fields of a form that was checked, with the defaults of their types filled in. */
export function completeFields(form: FormConfig): CompleteFormField[] {
  return form.fields.map((field) => fillDefaults(SCHEMAS[field.type], field) as CompleteFormField)
}
