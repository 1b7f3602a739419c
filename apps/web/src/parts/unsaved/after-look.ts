import { isSameJson } from '@troupe/editor/values/json-path'
import { type AgreedEdit, isSameEdit, NOTHING_AGREED, type RemoteEdit } from './agreed-edit.ts'
import type { BasedEdit, StoredEdit } from './based-edit.ts'

/** The edits of a browser before and after it has read the server's. */
export interface LookedAt<E extends StoredEdit> {
  local: BasedEdit<E> | null
  agreed: AgreedEdit<E>
}

/** Two edits of one user, and the one that both were made from; null: none is known. */
export interface EditsToMerge<E extends StoredEdit> {
  local: BasedEdit<E>
  former: BasedEdit<E> | null
  remote: BasedEdit<E>
}

/** Merges two edits of one user; the local values win. */
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
   * The part of an edit that is newer than `former`, which has ended; null: nothing. Without a former edit, all of it,
   * on top of the saved state. Absent: `none` decides.
   */
  since?: ((edit: BasedEdit<E>, former: BasedEdit<E> | null) => BasedEdit<E> | null) | undefined
}

/** Whether the browser has input or a save that the server does not know. */
export function isUnwritten<E extends StoredEdit>({ local, agreed }: LookedAt<E>): boolean {
  return agreed.ended !== undefined || !isSameEdit(local, agreed.edit)
}

/**
 * The edit of this browser after the server's was read. The side that has changed since both agreed wins. If both have,
 * they are merged, and the values of this browser win, because the user is typing there. A server that knows nothing
 * deletes nothing.
 *
 * Browser and server agreed on the newest edit of this browser that the server's edit was made from: each write replaces
 * one that its browser has read, and `builtOn` names the writes whose answer may have been lost.
 *
 * An edit that has ended on the server ended with the agreed one, because the browser that saved or discarded knew those
 * values. The race: another device was offline in the meantime, with continued input. Its agreed values are older than
 * the save, so only input since then is kept: `since`. In the reverse race another device wrote just before a save or
 * discard here. Its write replaced the agreed edit, so of the server's edit, too, only the input since the agreed one is
 * kept.
 */
export function afterLook<E extends StoredEdit>(
  { local, agreed }: LookedAt<E>,
  remote: RemoteEdit<E> | null,
  { merge, none, since }: Joining<E>,
): LookedAt<E> {
  if (remote === null) {
    return { local, agreed: { ...NOTHING_AGREED, ...(agreed.sent && { sent: agreed.sent }) } }
  }
  // A write without a response may still arrive.
  if (remote.changeId === agreed.changeId) return { local, agreed }
  const known = newestOf(agreed, remote)
  if (remote.changeId === known.changeId) return { local, agreed: known }
  const left = (edit: BasedEdit<E> | null, ended: BasedEdit<E> | null) =>
    since && isOfSameVersion(edit, ended) ? since(edit, ended) : edit
  const ended = known.ended?.edit ?? null
  const former = known.ended ? known.ended.left : known.edit
  const stored = left(remote.edit, ended)
  // A device that has read the end types on a newer version, or on the saved content.
  const isBeforeEnd = since !== undefined && isOfSameVersion(remote.edit, ended)
  const now: AgreedEdit<E> = {
    changeId: remote.changeId,
    edit: remote.edit,
    ...(isBeforeEnd && { ended: { edit: ended, left: stored } }),
  }
  const theirs = local === null ? left(stored, former) : stored
  if (isSameEdit(local, former) || isSameEdit(local, theirs)) return { local: theirs, agreed: now }
  if (local && remote.edit === null && since) return { local: since(local, former), agreed: now }
  // Saved or discarded here and changed elsewhere, or nothing was agreed: the changed one stays.
  const [mine, others] = [local ?? none, theirs ?? none]
  const merged = mine && others ? merge({ local: mine, former, remote: others }) : (local ?? theirs)
  return { local: none && isSameEdit(merged, none) ? null : merged, agreed: now }
}

/** The newest edit of a browser that the server's, another one than the agreed one, was made from. */
function newestOf<E extends StoredEdit>(
  { sent, ended, ...agreed }: AgreedEdit<E>,
  { changeId, builtOn }: RemoteEdit<E>,
): AgreedEdit<E> {
  const isIn = (id: string | undefined) => id !== undefined && (id === changeId || builtOn.includes(id))
  if (sent && isIn(sent.changeId)) return { ...sent, isOwn: true }
  if (ended === undefined) return agreed
  const { savedAs, sent: before } = ended
  if (savedAs !== undefined && isIn(savedAs)) return { changeId: savedAs, edit: null, isOwn: true }
  if (before && isIn(before.changeId))
    return { ...before, isOwn: true, ended: { edit: before.edit, left: null } }
  return { ...agreed, ended: { edit: ended.edit, left: ended.left } }
}

/** Whether two edits changed the same saved values. */
function isOfSameVersion<E extends StoredEdit>(
  one: BasedEdit<E> | null,
  other: BasedEdit<E> | null,
): one is BasedEdit<E> {
  return (
    one !== null && other !== null && one.base === other.base && isSameJson(one.edit.from, other.edit.from)
  )
}
