import { parsePath, type TokenPath } from './token-path.ts'

/** A piece of a template: literal text, or a token with its path or its syntax error. */
export type TemplatePart =
  | { kind: 'text'; text: string }
  | { kind: 'token'; token: string; path: TokenPath; from: number; to: number }

// A token contains no brace, so each character is read once and `{{{ a }}}` is a token inside a pair of braces.
const TOKEN = /\\\{\{|\{\{([^{}]*)\}\}/g

/**
 * Splits a template into text and tokens; runs, checks and editors share this tokenizer. `\{{` is the text `{{`, and an
 * unclosed `{{` is text. `from` and `to` are offsets in the template; `token` is normalized to `{{ path }}`.
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

/** The token if the value consists of exactly one, ignoring outer white space; null otherwise. */
export function wholeToken(parts: readonly TemplatePart[]): (TemplatePart & { kind: 'token' }) | null {
  const tokens = parts.filter((part) => part.kind === 'token')
  const [first] = tokens
  const isAlone =
    tokens.length === 1 && parts.every((part) => part.kind === 'token' || part.text.trim() === '')
  return isAlone ? (first ?? null) : null
}

/**
 * Whether a template is exactly one token, and so resolves to a value of any type; every other template yields a text.
 */
export function isWholeToken(template: string): boolean {
  return wholeToken(tokenize(template)) !== null
}
