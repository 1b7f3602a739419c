/**
 * Text that PostgreSQL can store: NUL and lone surrogates become U+FFFD. Models do write such text, and a paid answer
 * must not be lost because of it. Each replacement is one code unit for one, because the event log cuts texts by
 * length. Both checks are native scans; clean text is not copied.
 */
export function storableText(text: string): string {
  const withoutNul = text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed()
}

/** As {@link storableText}; null stays null. */
export function storableNullable(text: string | null): string | null {
  return text === null ? null : storableText(text)
}

// JSON.stringify writes NUL and lone surrogates as these escapes, and PostgreSQL refuses to unescape them. `\\u0000` is
// no such escape: it is an escaped backslash and five more characters. A draft with 40,000 such keys took the slow
// path, which doubled its save time.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** A value as JSON text with every string and key in it storable. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  return UNSTORABLE.test(json) ? JSON.stringify(storableValue(JSON.parse(json))) : json
}

/** A row for `json_to_recordset`, which reads an absent column as null: nulls are neither sent nor parsed. */
export function recordRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) if (value !== null) given[column] = value
  return given
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
