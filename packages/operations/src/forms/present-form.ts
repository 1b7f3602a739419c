import type { FormDefinition, FormDefinitionField } from '@troupe/contract'
import type { CompleteFormField, Form } from '@troupe/nodes/form'

/** A form as its visitors may see it: without access settings and the values of hidden fields. */
export function presentForm(form: Form, maxFileBytes: number): FormDefinition {
  const { title, description, submitLabel, successMessage, redirectUrl, auth, theme } = form
  return {
    title,
    description,
    submitLabel,
    successMessage,
    redirectUrl,
    auth: { mode: auth.mode },
    theme,
    maxFileBytes,
    fields: form.fields.map(presentField),
  }
}

function presentField(field: CompleteFormField): FormDefinitionField {
  const { type, defaultValue } = field
  return {
    ...field,
    defaultValue: type === 'hidden' ? null : defaultValue,
    ...('options' in field ? { options: fieldOptions(field) } : {}),
  } as FormDefinitionField
}

/** The options of a choice, each with its label. */
export function fieldOptions({ options }: Extract<CompleteFormField, { options: unknown }>): {
  value: string
  label: string
}[] {
  return options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option))
}
