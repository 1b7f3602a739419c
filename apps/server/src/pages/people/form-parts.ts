import { html, type Markup } from '../rendering/markup.ts'

/** What is wrong with a form: the `id` of the field, and a sentence. `null`: the form as a whole. */
export interface Fault {
  field: string | null
  message: string
}

/** One line of text to fill in. */
export interface Field {
  /** Name and id. */
  name: string
  label: string
  type: 'text' | 'email' | 'password'
  autocomplete: string
  /** Never given for passwords: they are not sent back. */
  value?: string
  help?: string
  readOnly?: boolean
}

/** A field with its label, its help and what is wrong with it. */
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

/** All that is wrong, above the form: it takes the focus, and leads to the fields. */
export function faultSummary(faults: readonly Fault[]): Markup | null {
  if (faults.length === 0) return null
  return html`<div class="faults" role="alert" tabindex="-1" autofocus>
<h2>Please check this</h2>
<ul>${faults.map((fault) =>
    fault.field === null
      ? html`<li>${fault.message}</li>`
      : html`<li><a href="#${fault.field}">${fault.message}</a></li>`,
  )}</ul>
</div>`
}

/** The title of a page whose form has faults says so, because it is what screen readers say first. */
export function titleOf(title: string, faults: readonly Fault[]): string {
  return faults.length === 0 ? title : `Error: ${title}`
}

/** The name above every page of people. */
export const BRAND: Markup = html`<strong>Troupe</strong>`
