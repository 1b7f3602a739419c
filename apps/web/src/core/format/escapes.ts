const WRITTEN: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\' }
const MEANT: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' }

/** A text on one line: a new line is `\n`, a tab `\t`, a backslash `\\`. */
export function escapedText(text: string): string {
  return text.replace(/[\n\t\r\\]/g, (character) => WRITTEN[character] ?? character)
}

/** The inverse of {@link escapedText}; a backslash before any other character is literal. */
export function unescapedText(text: string): string {
  return text.replace(/\\([ntr\\])/g, (_, letter: string) => MEANT[letter] ?? letter)
}
