import { markdown } from '../pages/markdown.ts'
import type { Markup } from '../pages/markup.ts'

/** Markdown of a tenant as safe markup. */
export function renderInstructions(text: string): Markup {
  return markdown(text, 2)
}
