import { bytesOf } from '../../memory/tokens.ts'
import { shorten } from '../../tools/shorten.ts'

type Attributes = Readonly<Record<string, string>>

const escaped = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/**
 * A named block of a prompt. What is inside is data: it cannot close its own block, so that no text of a member or a user
 * can pretend to stand outside of it.
 */
export function promptBlock(name: string, text: string, attributes: Attributes = {}): string {
  const listed = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  return `<${name}${listed.join('')}>\n${text.replaceAll(`</${name}`, `&lt;/${name}`)}\n</${name}>`
}

/** The text within a number of tokens, head and tail. */
export function withinTokens(text: string, tokens: number): string {
  return shorten(text, bytesOf(tokens))
}

/** Parts of a prompt that are there, with an empty line between them. */
export function paragraphs(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n')
}
