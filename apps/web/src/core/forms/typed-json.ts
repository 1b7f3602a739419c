import { changedNumberFault, changedNumbers } from '@troupe/contract'

/** JSON that somebody typed; `fault` is a sentence about a number whose digits would change, and null for text that is no JSON. */
export type TypedJson = { ok: true; value: unknown } | { ok: false; fault: string | null }

/** Reads JSON that somebody typed. No number of it is changed: one that would be is refused by its path. */
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

/** The sentence about a number of typed JSON whose digits would change; null when there is none. */
export function longNumberIn(text: string): string | null {
  const read = readTypedJson(text)
  return read.ok ? null : read.fault
}
