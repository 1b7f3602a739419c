import { html, type Markup } from './markup.ts'

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** Formats milliseconds since the epoch: `21 Nov 2026, 18:48 UTC`. */
export function momentText(milliseconds: number): Markup {
  const date = new Date(milliseconds)
  return html`<time datetime="${date.toISOString()}">${FORMAT.format(date)} UTC</time>`
}
