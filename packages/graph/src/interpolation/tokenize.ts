import { parsePath, type TokenPath } from './token-path.ts'

/** A piece of a template: text as it is, or a token with its path (or what is wrong with it). */
export type TemplatePart =
  | { kind: 'text'; text: string }
  | { kind: 'token'; token: string; path: TokenPath; from: number; to: number }

// A token has no brace inside, so that each character is looked at once and `{{{ a }}}` is a brace around a token.
const TOKEN = /\\\{\{|\{\{([^{}]*)\}\}/g

/**
 * Cuts a template into text and tokens: the one tokenizer of runs, checks and editors. `\{{` is text `{{`; a `{{` without
 * its end is text. `from` and `to` are places in the template, `token` is written as `{{ path }}`.
 */
export function tokenize(template: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let text = ''
  let end = 0
  for (const match of template.matchAll(TOKEN)) {
    text += template.slice(end, match.index)
    end = match.index + match[0].length
    const inner = match[1]?.trim()
    if (inner === undefined) {
      text += '{{'
      continue
    }
    if (text !== '') parts.push({ kind: 'text', text })
    text = ''
    const token = inner === '' ? '{{ }}' : `{{ ${inner} }}`
    parts.push({ kind: 'token', token, path: parsePath(inner), from: match.index, to: end })
  }
  text += template.slice(end)
  if (text !== '') parts.push({ kind: 'text', text })
  return parts
}

/** The one token that a whole value is, outer white space aside; null for anything else. */
export function wholeToken(parts: readonly TemplatePart[]): (TemplatePart & { kind: 'token' }) | null {
  const tokens = parts.filter((part) => part.kind === 'token')
  const [first] = tokens
  const isAlone =
    tokens.length === 1 && parts.every((part) => part.kind === 'token' || part.text.trim() === '')
  return isAlone ? (first ?? null) : null
}
