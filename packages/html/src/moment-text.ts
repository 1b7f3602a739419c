import { html, type Markup } from './markup.ts'

/** Created on first use: the first formatter of a process takes 100 ms. */
let format: Intl.DateTimeFormat | null = null

/** Formats milliseconds since the epoch: `21 Nov 2026, 18:48 UTC`. */
export function momentText(milliseconds: number): Markup {
  format ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const date = new Date(milliseconds)
  return html`<time datetime="${date.toISOString()}">${format.format(date)} UTC</time>`
}
