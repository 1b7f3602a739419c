import { type IdText, isJsonObject, type UnsavedChangesId } from '@troupe/contract'
import { isSameJson } from '@troupe/editor/values/json-path'
import type { BasedEdit, StoredEdit } from './based-edit.ts'

/** A write of a browser. */
export interface WrittenEdit<E extends StoredEdit> {
  changeId: IdText<UnsavedChangesId>
  /** null: discarded or saved. */
  edit: BasedEdit<E> | null
}

/** The server's edit. */
export interface RemoteEdit<E extends StoredEdit> extends WrittenEdit<E> {
  /** The change ids of earlier writes that it was made from, without those that their browser knows to be stored. */
  builtOn: readonly string[]
}

/** An edit that the browser and the server have agreed on, with the browser's requests whose result is unknown. */
export interface AgreedEdit<E extends StoredEdit> {
  /** The id of the write of the edit; null: the server knows none. */
  changeId: IdText<UnsavedChangesId> | null
  /** null: discarded or saved. */
  edit: BasedEdit<E> | null
  /** Whether this browser wrote it. */
  isOwn?: boolean
  /** A write without a response: the server may have it, or receive it later. */
  sent?: WrittenEdit<E>
  /** The part of `edit` that a save here has ended; absent after the next stored write. */
  ended?: EndedEdit<E>
}

/** The server's edit at a save. */
export interface EndedEdit<E extends StoredEdit> {
  edit: BasedEdit<E> | null
  /** The later input of other devices in the server's edit, as this browser has merged it; null: none. */
  left: BasedEdit<E> | null
  /** The id of the end on the server. Absent: another device wrote before the save, so the end is not stored. */
  savedAs?: string
  /** The write without a response that the save contains. */
  sent?: WrittenEdit<E>
}

export const NOTHING_AGREED: AgreedEdit<never> = { changeId: null, edit: null }

export function isSameEdit(one: BasedEdit<StoredEdit> | null, other: BasedEdit<StoredEdit> | null): boolean {
  if (one === other) return true
  if (one === null || other === null || one.base !== other.base) return false
  return isSameJson(one.edit.mine, other.edit.mine) && isSameJson(one.edit.from, other.edit.from)
}

/** Whether a stored value is an agreed edit. One of an earlier build may have edits of another form. */
export function isAgreedEdit<E extends StoredEdit>(
  value: unknown,
  isEdit: (value: unknown) => value is E,
): value is AgreedEdit<E> {
  const isBased = (edit: unknown) =>
    edit === null || (isJsonObject(edit) && typeof edit.base === 'string' && isEdit(edit.edit))
  const isWrite = (sent: unknown) =>
    sent === undefined || (isJsonObject(sent) && typeof sent.changeId === 'string' && isBased(sent.edit))
  if (!isJsonObject(value)) return false
  const { changeId, edit, sent, ended } = value
  if (changeId !== null && typeof changeId !== 'string') return false
  const isEnd =
    ended === undefined ||
    (isJsonObject(ended) && isBased(ended.edit) && isBased(ended.left) && isWrite(ended.sent))
  return isBased(edit) && isWrite(sent) && isEnd
}
