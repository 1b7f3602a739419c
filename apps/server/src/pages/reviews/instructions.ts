import { markdown } from '../kit/markdown.ts'
import type { Markup } from '../kit/markup.ts'

/** Markdown of a tenant as safe markup. */
export function renderInstructions(text: string): Markup {
  return markdown(text, 2)
}
