import { html, type Markup } from '@troupe/html'
import type { CompleteFormField } from '@troupe/nodes/form'
import { fieldOptions } from '@troupe/operations/forms/present-form'
import { autocompleteOf } from './autocomplete.ts'

/** A file that was uploaded before the page was rendered again. */
export interface EarlierUpload {
  id: string
  filename: string
}

/** The state of a field for rendering. */
export interface FieldState {
  /** Unique on the page; contains no tenant input. */
  id: string
  /** The current values, as a browser submits them. */
  values: readonly string[]
  fault: string | null
  uploads: readonly EarlierUpload[]
}

type Field<T extends CompleteFormField['type']> = Extract<CompleteFormField, { type: T }>

/** Names of internal inputs: a form field cannot have a dot in its name. */
export const CONTROL = {
  action: 'form.action',
  username: 'form.username',
  password: 'form.password',
  started: 'form.started',
  /** The honeypot. */
  trap: 'form.website',
  /** Checked by a person whose browser has filled in the honeypot. */
  person: 'form.person',
  /** Prefix of an upload's id; the value is its file name. */
  filename: 'form.file.',
} as const

const MB = 1024 * 1024

/** The number format of pages; the server does not know the language of the visitor. */
export const NUMBER_NOTATION = 'Write decimals with a point, such as 1234.5.'

/** Attributes of every input of a field. */
function shared(field: CompleteFormField, { id, fault }: FieldState): Markup {
  const described = [
    field.help === null ? null : `${id}-help`,
    field.type === 'number' ? `${id}-notation` : null,
    fault === null ? null : `${id}-fault`,
  ]
  const ids = described.filter((one) => one !== null).join(' ')
  return html`${field.required ? html` required` : null}${ids === '' ? null : html` aria-describedby="${ids}"`}${
    fault === null ? null : html` aria-invalid="true"`
  }`
}

function attribute(name: string, value: string | number | null): Markup | null {
  return value === null || value === '' ? null : html` ${name}="${value}"`
}

function textInput(
  field: CompleteFormField,
  state: FieldState,
  more: { type: string; mode?: string },
): Markup {
  const [value = ''] = state.values
  const limits = 'maxLength' in field ? attribute('maxlength', field.maxLength) : null
  const range =
    field.type === 'date' ? html`${attribute('min', field.min)}${attribute('max', field.max)}` : null
  return html`<input type="${more.type}" id="${state.id}" name="${field.name}" value="${value}"${attribute(
    'inputmode',
    more.mode ?? null,
  )}${attribute('placeholder', field.placeholder)}${attribute('autocomplete', autocompleteOf(field))}${limits}${range}${shared(field, state)}>`
}

function textArea(field: Field<'textarea'>, state: FieldState): Markup {
  const [value = ''] = state.values
  // HTML drops the first line break after the tag.
  return html`<textarea id="${state.id}" name="${field.name}" rows="5" maxlength="${field.maxLength}"${attribute(
    'placeholder',
    field.placeholder,
  )}${attribute('autocomplete', autocompleteOf(field))}${shared(field, state)}>
${value}</textarea>`
}

function dropdown(field: Field<'dropdown'>, state: FieldState): Markup {
  const options = fieldOptions(field).map(
    ({ value, label }) =>
      html`<option value="${value}"${state.values.includes(value) ? html` selected` : null}>${label}</option>`,
  )
  return html`<select id="${state.id}" name="${field.name}"${shared(field, state)}><option value="">${
    field.placeholder ?? (field.required ? 'Choose one' : 'No answer')
  }</option>${options}</select>`
}

/** Radio buttons cannot be cleared, so an optional question needs an empty choice. */
function choices(field: Field<'radio' | 'checkboxes'>, state: FieldState): Markup {
  const isRadio = field.type === 'radio'
  const none = isRadio && !field.required ? [{ value: '', label: 'No answer' }] : []
  const isChecked = (value: string) =>
    state.values.includes(value) || (value === '' && state.values.length === 0)
  return html`${[...fieldOptions(field), ...none].map(
    ({ value, label }, at) =>
      // The error summary links to the first choice.
      html`<label class="choice"><input type="${isRadio ? 'radio' : 'checkbox'}"${at === 0 ? html` id="${state.id}"` : null} name="${field.name}" value="${value}"${
        isChecked(value) ? html` checked` : null
      }${state.fault === null ? null : html` aria-invalid="true"`}${isRadio && field.required ? html` required` : null}> <span>${label}</span></label>`,
  )}`
}

function files(field: Field<'file'>, state: FieldState, maxFileBytes: number): Markup {
  const kinds =
    field.accept === ''
      ? 'Any kind of file.'
      : `Accepted: ${field.accept
          .split(',')
          .map((kind) => kind.trim())
          .join(', ')}.`
  const size = `${maxFileBytes / MB} MB`
  const limit = `${kinds} At most ${field.multiple ? `${field.maxFiles} files of ${size}` : size}.`
  const described = [`${state.id}-limit`, ...(field.help === null ? [] : [`${state.id}-help`])]
  if (state.fault !== null) described.push(`${state.id}-fault`)
  const sent = state.uploads.map(
    ({ id, filename }) =>
      html`<li><span>${filename}</span><input type="hidden" name="${field.name}" value="${id}"><input type="hidden" name="${CONTROL.filename}${id}" value="${filename}"></li>`,
  )
  // The script removes the notice, so it remains visible when the script fails to load.
  return html`<p class="help" id="${state.id}-limit">${limit}</p>
<p class="notice" data-without-script>Uploading files needs JavaScript, which did not start in this browser.</p>
<div class="upload" hidden data-upload data-name="${field.name}" data-max-bytes="${maxFileBytes}" data-accept="${field.accept}" data-max-files="${field.multiple ? field.maxFiles : 1}">
<input type="file" id="${state.id}" aria-describedby="${described.join(' ')}"${field.multiple ? html` multiple` : null}${attribute('accept', field.accept)}${state.fault === null ? null : html` aria-invalid="true"`}>
<ul class="uploads">${sent}</ul>
<p class="visually-hidden" role="status" data-upload-status></p>
</div>`
}

function input(field: CompleteFormField, state: FieldState, maxFileBytes: number): Markup {
  switch (field.type) {
    case 'text':
      return textInput(field, state, { type: 'text' })
    case 'textarea':
      return textArea(field, state)
    case 'number':
      // Not `type="number"`: it submits an empty value for unparsable input, without an error.
      return textInput(field, state, { type: 'text', mode: 'decimal' })
    case 'email':
      return textInput(field, state, { type: 'email' })
    case 'password':
      return textInput(field, { ...state, values: [] }, { type: 'password' })
    case 'date':
      return textInput(field, state, { type: 'date' })
    case 'dropdown':
      return dropdown(field, state)
    case 'radio':
    case 'checkboxes':
      return choices(field, state)
    case 'file':
      return files(field, state, maxFileBytes)
    case 'hidden':
      return html`<input type="hidden" name="${field.name}" value="${state.values[0] ?? ''}">`
    default:
      return field satisfies never
  }
}

/** One field with its label, help and validation error; null for a field with nothing to render. */
export function fieldMarkup(
  field: CompleteFormField,
  state: FieldState,
  maxFileBytes: number,
): Markup | null {
  // The default of a hidden field stays on the server.
  if (field.type === 'hidden') return state.values.length === 0 ? null : input(field, state, maxFileBytes)
  const { id, fault } = state
  const question = html`${field.label}${field.required ? null : html` <span class="optional">(optional)</span>`}`
  const help = field.help === null ? null : html`<p class="help" id="${id}-help">${field.help}</p>`
  const wrong = fault === null ? null : html`<p class="fault" id="${id}-fault">${sentence(fault)}</p>`
  if (field.type === 'radio' || field.type === 'checkboxes') {
    return html`<fieldset class="field"${shared({ ...field, required: false }, { ...state, fault: null })}><legend>${question}</legend>${help}${input(field, state, maxFileBytes)}${wrong}</fieldset>`
  }
  const notation =
    field.type === 'number' ? html`<p class="help" id="${id}-notation">${NUMBER_NOTATION}</p>` : null
  return html`<div class="field"><label for="${id}">${question}</label>${help}${notation}${input(field, state, maxFileBytes)}${wrong}</div>`
}

/** `must be a number` → `This must be a number.` */
export function sentence(message: string): string {
  return `This ${message}.`
}
