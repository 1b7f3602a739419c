/** Characters that reverse the direction of a text, and invisible ones that hide in names. */
const HIDDEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/

/** A text in parts: hidden characters are replaced by their code (`U+202E`), so that they deceive nobody. */
export function visibleControls(text: string): (string | { code: string })[] {
  return text
    .split(new RegExp(`(${HIDDEN.source})`))
    .filter((part) => part !== '')
    .map((part) => (HIDDEN.test(part) ? { code: codeOf(part) } : part))
}

export function hasHiddenCharacter(text: string): boolean {
  return HIDDEN.test(text)
}

/** The text with the codes of its hidden characters in brackets: `invoice[U+202E]fdp`. */
export function withVisibleCharacters(text: string): string {
  return visibleControls(text)
    .map((part) => (typeof part === 'string' ? part : `[${part.code}]`))
    .join('')
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
