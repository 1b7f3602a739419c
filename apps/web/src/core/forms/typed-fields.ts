import { isJsonObject } from '@troupe/contract'
import { isSameJson } from '@troupe/editor/values/json-path'

/** A user's edit of the fields of a form, with the fields that it is based on. */
export interface TypedEdit<F extends object> {
  from: F
  mine: F
}

/** The fields that differ between two states of a form. */
function differentFields<F extends object>(before: F, after: F): (keyof F & string)[] {
  return Object.keys(after).filter(
    (name): name is keyof F & string => !isSameJson(own(before, name), own(after, name)),
  )
}

/** An edit applied to the saved state. */
export interface FieldsOnTop<F extends object> {
  /** The saved fields with the user's changes. */
  fields: F
  /** The fields that differ from the saved ones. */
  changed: readonly (keyof F & string)[]
  /** The fields that somebody else changed to a different value. */
  contested: readonly (keyof F & string)[]
}

/** Merges an edit with the saved state: untouched fields follow the server. */
export function fieldsOnTop<F extends object>(edit: TypedEdit<F> | null, saved: F): FieldsOnTop<F> {
  if (edit === null) return { fields: saved, changed: [], contested: [] }
  const mine = differentFields(edit.from, edit.mine)
  const fields = { ...saved, ...pick(edit.mine, mine) }
  const changed = differentFields(saved, fields)
  const theirs = differentFields(edit.from, saved)
  return { fields, changed, contested: changed.filter((name) => theirs.includes(name)) }
}

/** An edit after one more change. Untouched fields keep their base value, so that they follow the server. */
export function changedEdit<F extends object>(
  edit: TypedEdit<F> | null,
  saved: F,
  part: Partial<F>,
): TypedEdit<F> {
  const { from, mine } = edit ?? { from: saved, mine: saved }
  return { from, mine: { ...mine, ...part } }
}

/**
 * Typing while `sent` was saved, as an edit of it: the fields that differ between the sent edit and the
 * current one.
 */
export function editSince<F extends object>(sent: F, then: F, now: F): TypedEdit<F> {
  return { from: sent, mine: { ...sent, ...pick(now, differentFields(then, now)) } }
}

/**
 * Merges two edits of one user: a field that was typed here since `former`, or at all without it, has its value of
 * `local`; others have theirs of `remote`.
 */
export function mergedTypedEdits<F extends object>(
  local: TypedEdit<F>,
  former: TypedEdit<F> | null,
  remote: TypedEdit<F>,
): TypedEdit<F> {
  const typed = differentFields((former ?? local)[former ? 'mine' : 'from'], local.mine)
  const joined = (side: keyof TypedEdit<F>): F => ({ ...remote[side], ...pick(local[side], typed) })
  return { from: joined('from'), mine: joined('mine') }
}

/**
 * The part of an edit that is newer than `former`, which was saved or discarded on another device; null: nothing. A
 * field that was reset since is newer input, too.
 */
export function typedEditSince<F extends object>(
  edit: TypedEdit<F>,
  former: TypedEdit<F>,
): TypedEdit<F> | null {
  const typed = differentFields(former.mine, edit.mine)
  if (typed.length === 0) return null
  const from = { ...edit.from, ...pick(former.mine, typed) }
  return { from, mine: { ...from, ...pick(edit.mine, typed) } }
}

/** The named fields alone, for a partial update. */
export function pick<F extends object>(fields: F, names: readonly (keyof F & string)[]): Partial<F> {
  const picked: Partial<F> = {}
  for (const name of names) picked[name] = fields[name]
  return picked
}

/** A field of a form in which an edit differs from the saved state. */
export interface TypedDifference {
  path: string
  label: string
  /** The saved value. */
  before: unknown
  /** The user's value. */
  after: unknown
}

/** The changed fields of an edit beside the saved ones, each with its label. */
export function typedDifferences<F extends object>(
  changed: Partial<F>,
  saved: F,
  labels: Readonly<Record<keyof F & string, string>>,
): TypedDifference[] {
  return Object.keys(saved)
    .filter((name): name is keyof F & string => Object.hasOwn(changed, name))
    .map((path) => ({ path, label: labels[path], before: saved[path], after: changed[path] }))
}

/**
 * Whether a stored value is an edit of a form with these fields. An edit that an older build left may have other
 * fields, and is then ignored.
 */
export function isTypedEdit<F extends object>(value: unknown, like: F): value is TypedEdit<F> {
  return isJsonObject(value) && isLike(value.from, like) && isLike(value.mine, like)
}

function isLike(value: unknown, like: object): boolean {
  if (!isJsonObject(value)) return false
  const names = Object.keys(like)
  return (
    Object.keys(value).length === names.length &&
    names.every((name) => Object.hasOwn(value, name) && haveSameKind(value[name], own(like, name)))
  )
}

/** null is a value of every kind: an empty number, no choice. */
function haveSameKind(a: unknown, b: unknown): boolean {
  if (a === null || b === null) return true
  return typeof a === typeof b && Array.isArray(a) === Array.isArray(b)
}

function own(fields: object, name: string): unknown {
  return Object.hasOwn(fields, name) ? Reflect.get(fields, name) : undefined
}
