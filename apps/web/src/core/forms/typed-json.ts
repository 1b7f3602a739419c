import { changedNumberFault, changedNumbers } from '@troupe/contract'

/** User-entered JSON; `fault` is an error about a number that would lose digits, and null for invalid JSON. */
export type TypedJson = { ok: true; value: unknown } | { ok: false; fault: string | null }

/** Parses user-entered JSON. Its numbers never lose digits: one that would is refused by its path. */
export function readTypedJson(text: string): TypedJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, fault: null }
  }
  const [changed] = changedNumbers(text, 1)
  if (changed === undefined) return { ok: true, value }
  const where = changed.path === '' ? 'The number' : `“${changed.path}”`
  return { ok: false, fault: `${where} ${changedNumberFault(changed.literal)}.` }
}

/** The error for a number in user-entered JSON that would lose digits; null without one. */
export function longNumberIn(text: string): string | null {
  const read = readTypedJson(text)
  return read.ok ? null : read.fault
}
