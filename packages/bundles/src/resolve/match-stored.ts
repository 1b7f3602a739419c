/** The field that addresses a part of a bundle beside its id. */
export type NameField = 'slug' | 'name' | 'metric'

/** A part of a bundle as it is looked up: by id, else by the name that addresses it. */
export interface PartAddress {
  id: string | undefined
  /** The slug; of an API key the name; of a budget its metric and level. */
  name: string
  /** The field that `name` was read from. */
  nameField: NameField
}

/** The row that a part of a bundle describes; null when there is none yet. */
export type Match<T> =
  | { ok: true; stored: T | null }
  | { ok: false; field: 'id' | NameField; message: string }

/**
 * Finds the row. An id wins, so that a part can be renamed; an id and a name that belong to two rows, or a name that
 * belongs to a row with another id, are contradictions.
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
    return { ok: false, field: nameField, message: 'is used by several stored ones; give the id' }
  }
  return { ok: true, stored: other ?? null }
}
