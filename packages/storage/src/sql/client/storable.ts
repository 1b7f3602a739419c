/**
 * Text that PostgreSQL can store: NUL and lone surrogates become U+FFFD. Models do write such text, and a
 * paid answer must not be lost to it. Each replacement is one code unit for one, because the event log cuts
 * texts by length. Both checks are native scans; clean text is not copied.
 */
export function storableText(text: string): string {
  const withoutNul = text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed()
}

/** As {@link storableText}; null stays null. */
export function storableNullable(text: string | null): string | null {
  return text === null ? null : storableText(text)
}

// JSON.stringify writes NUL and lone surrogates as these escapes, and PostgreSQL refuses to unescape them. A
// false positive, such as the text `\\u0000` (an escaped backslash), only costs the slow path.
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/

/** A value as JSON text with every string and key in it storable. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  return SUSPICIOUS.test(json) ? JSON.stringify(storableValue(JSON.parse(json))) : json
}

function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storableValue)
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [storableText(key), storableValue(member)]),
    )
  }
  return value
}
