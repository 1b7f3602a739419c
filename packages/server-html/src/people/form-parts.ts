import { html, type Markup } from '@troupe/html'

/** A validation error: the field's `id` and a sentence. `null`: the complete form. */
export interface Fault {
  field: string | null
  message: string
}

/** A single-line text input. */
export interface Field {
  /** Name and id. */
  name: string
  label: string
  type: 'text' | 'email' | 'password'
  autocomplete: string
  /** Never set for passwords: they are not sent back. */
  value?: string
  help?: string
  readOnly?: boolean
}

/** A field with its label, help and validation error. */
export function field(
  { name, label, type, autocomplete, value = '', help, readOnly = false }: Field,
  faults: readonly Fault[],
): Markup {
  const fault = faults.find((one) => one.field === name)
  const described = [help ? `${name}-help` : '', fault ? `${name}-fault` : ''].filter((id) => id !== '')
  return html`<div class="field">
<label for="${name}">${label}</label>
${help ? html`<p class="help" id="${name}-help">${help}</p>` : null}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required
${type === 'password' ? null : html`value="${value}"`} ${readOnly ? html`readonly` : null}
${type === 'email' ? html`spellcheck="false" autocapitalize="none"` : null}
${described.length > 0 ? html`aria-describedby="${described.join(' ')}"` : null} ${fault ? html`aria-invalid="true"` : null}>
${fault ? html`<p class="fault" id="${name}-fault">${fault.message}</p>` : null}
</div>`
}

/** The error summary above the form: it takes the focus, and links to the fields. */
export function faultSummary(faults: readonly Fault[]): Markup | null {
  const [first, ...more] = faults
  if (first === undefined) return null
  if (first.field === null && more.length === 0)
    return html`<div class="faults" role="alert" tabindex="-1" autofocus><p>${first.message}</p></div>`
  return html`<div class="faults" role="alert" tabindex="-1" autofocus>
<h2>Please check this</h2>
<ul>${faults.map((fault) =>
    fault.field === null
      ? html`<li>${fault.message}</li>`
      : html`<li><a href="#${fault.field}">${fault.message}</a></li>`,
  )}</ul>
</div>`
}

/** Marks the title of a page with errors: screen readers read the title first. */
export function titleOf(title: string, faults: readonly Fault[]): string {
  return faults.length === 0 ? title : `Error: ${title}`
}
