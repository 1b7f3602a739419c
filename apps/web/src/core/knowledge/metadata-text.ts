/**
 * Metadata as lines that people type: `region=eu`. Numbers, `true`, `false` and `null` are what they look like; "2026" in quotes
 * is a text, and so is what would be another text as a number, such as 01067.
 */
export function metadataOf(lines: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    lines.filter(isMetadataLine).map((line) => {
      const at = line.indexOf('=')
      return [line.slice(0, at).trim(), typedValue(line.slice(at + 1).trim())]
    }),
  )
}

/** Whether a line has a key and an equals sign. */
export function isMetadataLine(line: string): boolean {
  return line.indexOf('=') > 0 && line.slice(0, line.indexOf('=')).trim() !== ''
}

function typedValue(text: string): unknown {
  if (text === 'true') return true
  if (text === 'false') return false
  if (text === 'null') return null
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) return text.slice(1, -1)
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) && String(Number(text)) === text ? Number(text) : text
}
