import { html, type Markup } from '@troupe/html'

/** The mark of the product, as in `icon.svg`: a stage as a T, in the colours of the page. @param size in px */
export function mark(size: number): Markup {
  return html`<svg class="mark" width="${size}" height="${size}" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><g><path d="M7.3 6.5h17.4a2.2 2.2 0 0 1 0 4.4h-6.6l4 14.5H9.9l4-14.5H7.3a2.2 2.2 0 0 1 0-4.4z"/><circle cx="6.9" cy="22.9" r="2.5" opacity=".8"/><circle cx="25.1" cy="22.9" r="2.5" opacity=".8"/></g></svg>`
}

/** Above a page with one question, such as a sign-in. */
export const BRAND: Markup = html`<span class="brand">${mark(40)}<span class="visually-hidden">Troupe</span></span>`
