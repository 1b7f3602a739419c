import { isSameJson } from '@troupe/editor/values/json-path'

/**
 * Metadata as lines: `region=eu`. Numbers, `true`, `false` and `null` have their types; "2026" in quotes is a text, and so is a
 * number with another canonical form, such as 01067.
 */
export function metadataOf(lines: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    lines.filter(isMetadataLine).map((line) => {
      const at = line.indexOf('=')
      return [line.slice(0, at).trim(), typedValue(line.slice(at + 1).trim())]
    }),
  )
}

/** Metadata as the lines that {@link metadataOf} parses to the same. `others`: values that lines cannot express, such as lists. */
export function metadataLines(metadata: Readonly<Record<string, unknown>>): {
  lines: string[]
  others: Record<string, unknown>
} {
  const lines: string[] = []
  const others: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(metadata)) {
    const said = [`${key}=${value}`, `${key}="${value}"`].find(
      (line) => !/[\r\n]/.test(line) && isSameJson(metadataOf([line]), { [key]: value }),
    )
    if (said === undefined) others[key] = value
    else lines.push(said)
  }
  return { lines, others }
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
