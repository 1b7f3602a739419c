/** An unfinished token: its position in the text, and the typed part of its path. */
export interface OpenToken {
  from: number
  /** Behind its closing braces, if present. */
  to: number
  typed: string
}

/** The token around a caret; null outside tokens. An escaped `\{{` starts none. */
export function openTokenAt(text: string, caret: number): OpenToken | null {
  const from = text.lastIndexOf('{{', caret - 2)
  if (from < 0 || caret < from + 2 || text[from - 1] === '\\') return null
  const typed = text.slice(from + 2, caret)
  if (/[{}\n]/.test(typed)) return null
  const rest = /^[^{}\n]*\}\}/.exec(text.slice(caret))?.[0]
  return { from, to: caret + (rest?.length ?? 0), typed: typed.trim() }
}

/** The start of a new token at a caret outside tokens. */
export function newTokenAt(caret: number): OpenToken {
  return { from: caret, to: caret, typed: '' }
}

/** The text of the token when a path is chosen. */
export function completedToken(path: string): string {
  return `{{ ${path} }}`
}

/** The text after a token was dropped inside another one and moved behind it; null if it was dropped beside all others. */
export function droppedBeside(
  value: string,
  from: number,
  to: number,
): { value: string; from: number; to: number } | null {
  const dropped = value.slice(from, to)
  const rest = value.slice(0, from) + value.slice(to)
  const around = openTokenAt(rest, from)
  if (around === null || !dropped.startsWith('{{') || !rest.slice(from, around.to).endsWith('}}')) return null
  const at = around.to
  return { value: rest.slice(0, at) + dropped + rest.slice(at), from: at, to: at + dropped.length }
}
