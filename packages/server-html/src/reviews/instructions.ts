import { type Markup, markdown } from '@troupe/html'

/** A tenant's Markdown as safe markup. */
export function renderInstructions(text: string): Markup {
  return markdown(text, 2)
}
