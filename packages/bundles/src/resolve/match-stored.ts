/** The field that identifies a part of a bundle without an id. */
export type NameField = 'slug' | 'name' | 'metric'

/** The lookup key of a part of a bundle: its id, else the name that identifies it. */
export interface PartAddress {
  id: string | undefined
  /** The slug; for an API key its name, for a budget its metric and level. */
  name: string
  /** The field that `name` was read from. */
  nameField: NameField
}

/** The row that a part of a bundle describes; null if no such row exists. */
export type Match<T> =
  | { ok: true; stored: T | null }
  | { ok: false; field: 'id' | NameField; message: string }

/**
 * Finds the row. The id takes precedence, so a part can be renamed; an id and a name that match different
 * rows, or a name whose row has another id, are contradictions.
 */
export function matchStored<T extends { id: string }>(
  { id, name, nameField }: PartAddress,
  stored: readonly T[],
  nameOf: (row: T) => string | null,
): Match<T> {
  const byId = id === undefined ? undefined : stored.find((row) => row.id === id)
  const named = stored.filter((row) => nameOf(row) === name)
  const other = named.find((row) => row !== byId)
  if (byId) {
    return other && nameOf(byId) !== name
      ? { ok: false, field: nameField, message: 'is already used by another one, which has another id' }
      : { ok: true, stored: byId }
  }
  if (other && id !== undefined) {
    return { ok: false, field: 'id', message: `differs from the id of the one that has this ${nameField}` }
  }
  if (named.length > 1) {
    return { ok: false, field: nameField, message: 'is ambiguous: several stored items use it; give the id' }
  }
  return { ok: true, stored: other ?? null }
}
