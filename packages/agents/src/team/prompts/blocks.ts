import { bytesOf } from '../../chain/tokens.ts'
import { shorten } from '../../tools/shorten.ts'

type Attributes = Readonly<Record<string, string>>

const escaped = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/**
 * A named block of a prompt. Its content is data and cannot close the block, so no text of a member or a user
 * can pose as text outside it.
 */
export function promptBlock(name: string, text: string, attributes: Attributes = {}): string {
  const listed = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  return `<${name}${listed.join('')}>\n${text.replaceAll(`</${name}`, `&lt;/${name}`)}\n</${name}>`
}

/** The text truncated to a number of tokens, keeping head and tail. */
export function withinTokens(text: string, tokens: number): string {
  return shorten(text, bytesOf(tokens))
}

/** Joins the non-empty parts of a prompt with blank lines. */
export function paragraphs(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n')
}
