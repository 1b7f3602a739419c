import { html, type Markup } from '@troupe/html'

/** Longer JSON is not indented: 1 MB in 60 nested lists would become 60 MB of spaces. */
const MAX_INDENTED = 32 * 1024

/** A review value for display. */
export function shownValue(value: unknown): Markup {
  if (typeof value === 'string') return html`<span class="text">${value}</span>`
  if (value === null) return html`–`
  if (typeof value === 'boolean') return html`${value ? 'Yes' : 'No'}`
  if (typeof value !== 'object') return html`${String(value)}`
  const compact = JSON.stringify(value)
  const shown = compact.length > MAX_INDENTED ? compact : JSON.stringify(value, null, 2)
  return html`<pre tabindex="0">${shown}</pre>`
}
