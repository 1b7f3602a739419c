import { markdown } from '../rendering/markdown.ts'
import type { Markup } from '../rendering/markup.ts'

/** Markdown of a tenant as safe markup. */
export function renderInstructions(text: string): Markup {
  return markdown(text, 2)
}
