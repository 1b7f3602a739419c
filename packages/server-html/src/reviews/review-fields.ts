import { html, type Markup } from '@troupe/html'
import type { EditableField } from '@troupe/workflows/ports'
import { NUMBER_NOTATION } from '../forms/field-markup.ts'
import { inputName, proposedText } from './posted-decision.ts'

/** Validation errors as sentences by the operation's paths, and the submitted values. */
export interface Filled {
  faults: ReadonlyMap<string, string>
  /** The submitted text of an input; null before the form was submitted. */
  sent: ((name: string) => string) | null
}

/** The id of an input; paths contain dots and arbitrary field names. */
export const inputId = (path: string) => `in-${Buffer.from(path).toString('hex')}`

interface Labelled {
  path: string
  label: string
  required: boolean
  fault: string | null
  help?: string | undefined
  control: (attributes: Markup) => Markup
}

/** A control with its label and its validation error. */
export function labelled({ path, label, required, fault, help, control }: Labelled): Markup {
  const id = inputId(path)
  const ids = [help === undefined ? '' : `${id}-help`, fault === null ? '' : `${id}-fault`].join(' ').trim()
  const described = html`${fault === null ? null : html` aria-invalid="true"`}${
    ids === '' ? null : html` aria-describedby="${ids}"`
  }`
  // Not `required`: only an approval needs the value, so the server validates it.
  const attributes = html`id="${id}" name="${path}"${described}`
  return html`<div class="field">
<label for="${id}">${label}${required ? null : html` <span class="optional">(optional)</span>`}</label>
${help === undefined ? null : html`<p class="help" id="${id}-help">${help}</p>`}
${control(attributes)}
${fault === null ? null : html`<p class="fault" id="${id}-fault">${fault}</p>`}
</div>`
}

const option = (value: string, label: string, chosen: string) =>
  html`<option value="${value}"${value === chosen ? html` selected` : null}>${label}</option>`

// HTML drops the first line break after the tag.
const area = (attributes: Markup, text: string) => html`<textarea ${attributes} rows="5">
${text}</textarea>`

function control({ type, options, required, value }: EditableField, text: string) {
  const isEmptyOffered = !required || value === null
  const choices: [string, string][] =
    type === 'boolean'
      ? [
          ['true', 'Yes'],
          ['false', 'No'],
        ]
      : options.map((one) => [one, one])
  return (attributes: Markup): Markup => {
    switch (type) {
      case 'textarea':
        return area(attributes, text)
      case 'number':
        return html`<input ${attributes} type="text" inputmode="decimal" value="${text}">`
      case 'text':
        // A single-line input would join the lines.
        if (/[\r\n]/.test(text)) return area(attributes, text)
        return html`<input ${attributes} type="text" value="${text}">`
      case 'select':
      case 'boolean':
        return html`<select ${attributes}>${isEmptyOffered ? option('', '–', text) : null}${choices.map(
          ([one, label]) => option(one, label, text),
        )}</select>`
      default:
        return type satisfies never
    }
  }
}

/** The fields that reviewers may change. */
export function renderFields(fields: readonly EditableField[], { faults, sent }: Filled): Markup[] {
  return fields.map((field) => {
    const path = inputName(field)
    const text = sent ? sent(path) : proposedText(field)
    const fault = faults.get(path) ?? null
    const { label, required, type } = field
    const help = type === 'number' ? NUMBER_NOTATION : undefined
    return labelled({ path, label, required, fault, help, control: control(field, text) })
  })
}
