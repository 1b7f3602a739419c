import { markdown } from '../rendering/markdown.ts'
import type { Markup } from '../rendering/markup.ts'

/** A tenant's Markdown as safe markup. */
export function renderInstructions(text: string): Markup {
  return markdown(text, 2)
}
