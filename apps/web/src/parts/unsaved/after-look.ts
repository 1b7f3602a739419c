import { isSameJson } from '@troupe/editor/values/json-path'
import type { BasedEdit, StoredEdit } from './based-edit.ts'

/** An edit that the browser and the server have agreed on. */
export interface AgreedEdit<E extends StoredEdit> {
  /** The id of the write of the edit; null: the server knows none. */
  changeId: string | null
  /** null: discarded or saved. */
  edit: BasedEdit<E> | null
}

export const NOTHING_AGREED: AgreedEdit<never> = { changeId: null, edit: null }

export function isSameEdit(one: BasedEdit<StoredEdit> | null, other: BasedEdit<StoredEdit> | null): boolean {
  if (one === other) return true
  if (one === null || other === null || one.base !== other.base) return false
  return isSameJson(one.edit.mine, other.edit.mine) && isSameJson(one.edit.from, other.edit.from)
}

/** The edits of a browser before and after it has read the server's. */
export interface LookedAt<E extends StoredEdit> {
  local: BasedEdit<E> | null
  agreed: AgreedEdit<E>
  /** The edit that a save here has just ended; absent or null: none. */
  ended?: BasedEdit<E> | null
}

/** Two edits of one person, and the one that both were made from; null: none is known. */
export interface EditsToMerge<E extends StoredEdit> {
  local: BasedEdit<E>
  former: BasedEdit<E> | null
  remote: BasedEdit<E>
}

/** Merges two edits of one person; the local values win. */
export type MergeEdits<E extends StoredEdit> = (edits: EditsToMerge<E>) => BasedEdit<E>

/** How two edits of a kind are merged. */
export interface Joining<E extends StoredEdit> {
  merge: MergeEdits<E>
  /**
   * The edit without a change, for a resource whose parts are saved separately, such as files. Absent: one save ends
   * the whole edit.
   */
  none?: BasedEdit<E> | undefined
  /**
   * The part of an edit that is newer than `former`, which has ended; null: nothing. Without a former edit, all of it, on top of the saved state. Absent:
   * `none` decides.
   */
  since?: ((edit: BasedEdit<E>, former: BasedEdit<E> | null) => BasedEdit<E> | null) | undefined
}

/**
 * The edit of this browser after the server's was read. The side that has changed since both agreed wins. If both have,
 * they are merged, and the values of this browser win, because its person is typing there. A server that knows nothing
 * deletes nothing.
 *
 * An edit that has ended on the server ended with the agreed one: each write replaces one that its browser has read, so
 * the browser that saved or discarded knew those values. The race: another device was offline in the meantime, with
 * continued input. Its agreed values are older than the save, so only input since then is kept: `since`. In the reverse
 * race another device wrote just before a save or discard here. Its write replaced the agreed edit, so of the server's
 * edit, too, only the input since the agreed one is kept.
 */
export function afterLook<E extends StoredEdit>(
  { local, agreed, ended = null }: LookedAt<E>,
  remote: AgreedEdit<E> | null,
  { merge, none, since }: Joining<E>,
): LookedAt<E> {
  if (remote === null) return { local, agreed: NOTHING_AGREED }
  if (remote.changeId === agreed.changeId) return { local, agreed }
  const stored =
    remote.edit && notEndedHere(remote.edit, ended ?? (local === null ? agreed.edit : null), since)
  const isUnchangedHere = isSameEdit(local, agreed.edit)
  if (isUnchangedHere || isSameEdit(local, remote.edit)) return { local: stored, agreed: remote }
  const [mine, theirs] = [local ?? none, stored ?? none]
  if (local && remote.edit === null && since) {
    return { local: since(local, agreed.edit), agreed: remote }
  }
  // Saved or discarded here and changed elsewhere, or nothing was agreed: the changed one stays.
  const merged =
    mine && theirs ? merge({ local: mine, former: agreed.edit, remote: theirs }) : (local ?? stored)
  const joined = none && isSameEdit(merged, none) ? null : merged
  // Input during a save is based on the saved version, which lacks the changes that the save has settled. Without
  // input, the server is notified of the settled changes.
  const hasInput = local !== null && !isSameEdit(joined, stored)
  return { local: joined, agreed: hasInput ? { changeId: remote.changeId, edit: stored } : remote }
}

/** The part of the server's edit that a save or discard of `ended` here has not ended; null: nothing. */
function notEndedHere<E extends StoredEdit>(
  remote: BasedEdit<E>,
  ended: BasedEdit<E> | null,
  since: Joining<E>['since'],
): BasedEdit<E> | null {
  // A device that has read the end types on a newer version, or on the saved content.
  const isBefore = ended?.base === remote.base && isSameJson(ended.edit.from, remote.edit.from)
  return ended && since && isBefore ? since(remote, ended) : remote
}
