import { type Static, Type } from 'typebox'
import { Choice } from '../schema/choice.ts'
import { Uuid } from '../schema/formats.ts'
import type { UploadId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'

/** The path parameter of every form endpoint. */
export const FormParams = Type.Object({
  formToken: Type.String({ description: 'The token of the form, as in the address of its page.' }),
})

const whole = () => Type.Optional(Type.Integer())

/** The eleven types of form fields. */
export const FORM_FIELD_TYPES = [
  'text',
  'textarea',
  'number',
  'email',
  'password',
  'date',
  'dropdown',
  'radio',
  'checkboxes',
  'file',
  'hidden',
] as const

/** One field of a form as visitors may see it. */
export const FormDefinitionField = Type.Object({
  name: Type.String({ description: 'The key of the answer.' }),
  label: Type.String({ description: 'The question.' }),
  type: Choice(FORM_FIELD_TYPES),
  required: Type.Boolean(),
  help: Nullable(Type.String()),
  placeholder: Nullable(Type.String()),
  defaultValue: Type.Unknown({ description: 'The initial value on the page; always null for `hidden`.' }),
  prefill: Type.Boolean({ description: 'Whether the page takes the value from its URL.' }),
  minLength: whole(),
  maxLength: whole(),
  pattern: Type.Optional(Nullable(Type.String({ description: 'RE2; the whole answer must match.' }))),
  min: Type.Optional(Type.Unknown({ description: 'A number, a date, or a number of options.' })),
  max: Type.Optional(Type.Unknown({ description: 'As `min`.' })),
  step: Type.Optional(Nullable(Type.Number())),
  options: Type.Optional(Type.Array(Type.Object({ value: Type.String(), label: Type.String() }))),
  accept: Type.Optional(Type.String({ description: 'Extensions such as `.pdf,.docx`; empty accepts any.' })),
  multiple: Type.Optional(Type.Boolean()),
  maxFiles: whole(),
})
export type FormDefinitionField = Static<typeof FormDefinitionField>

/** A published form as visitors may see it. */
export const FormDefinition = Type.Object({
  title: Type.String(),
  description: Type.String({ description: 'Markdown without HTML.' }),
  submitLabel: Type.String(),
  successMessage: Type.String({ description: 'Markdown without HTML.' }),
  redirectUrl: Nullable(Type.String({ description: 'Where the page redirects after a submission.' })),
  auth: Type.Object({ mode: Choice(['none', 'basic', 'service-login']) }),
  theme: Type.Object({
    mode: Choice(['light', 'dark', 'auto']),
    accent: Nullable(Type.String()),
    radius: Type.Integer(),
    logoUrl: Nullable(Type.String()),
  }),
  maxFileBytes: Type.Integer({ description: 'Maximum size of an upload.' }),
  fields: Type.Array(FormDefinitionField),
})
export type FormDefinition = Static<typeof FormDefinition>

/** The response to a submission. It contains no run id, because visitors may not see the run. */
export const ReceivedSubmission = Type.Object({ status: Choice(['received']) })
export type ReceivedSubmission = Static<typeof ReceivedSubmission>

/** A stored file. */
export const UploadedFile = Type.Object({
  fileId: Uuid<UploadId>({ description: 'Submit it as the value of the field.' }),
  filename: Type.String(),
  sizeBytes: Type.Integer(),
})
export type UploadedFile = Static<typeof UploadedFile>
