import { html, type Markup } from '@troupe/html'

/** The state of a page that has nothing to fill in. */
export type SignKind = 'done' | 'locked' | 'closed'

const DRAWINGS: Record<SignKind, Markup> = {
  done: html`<path d="m12.5 20.5 5 5 10-11"/>`,
  locked: html`<path d="M13 19h14v9H13zM16 19v-3.5a4 4 0 0 1 8 0V19"/>`,
  closed: html`<path d="M13 20h14"/>`,
}

/** A drawing above the title, in the colour of the form; decorative, as the text has the same meaning. */
export function sign(kind: SignKind): Markup {
  return html`<svg class="sign ${kind}" width="40" height="40" viewBox="0 0 40 40" aria-hidden="true"><circle cx="20" cy="20" r="20"/>${DRAWINGS[kind]}</svg>`
}
