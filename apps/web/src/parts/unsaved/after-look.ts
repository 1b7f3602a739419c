import { isSameJson } from '@troupe/editor/values/json-path'
import { mergeContents } from '@troupe/editor/values/merge-contents'
import { broughtBack } from './brought-back.ts'
import type { BasedEdit } from './kept-edit.ts'
import type { SavedContent } from './saved-content.ts'

/** An edit that the browser and the server have agreed on. */
export interface AgreedEdit {
  /** Of its write; null: the server knows none. */
  changeId: string | null
  /** null: discarded or saved. */
  edit: BasedEdit | null
}

export const NOTHING_AGREED: AgreedEdit = { changeId: null, edit: null }

export function isSameEdit(one: BasedEdit | null, other: BasedEdit | null): boolean {
  if (one === other) return true
  if (one === null || other === null || one.base !== other.base) return false
  return isSameJson(one.edit.mine, other.edit.mine) && isSameJson(one.edit.from, other.edit.from)
}

/** The edits of a browser before and after it has read the server's. */
export interface LookedAt {
  local: BasedEdit | null
  agreed: AgreedEdit
}

/**
 * The edit of this browser after the server's was read. The side that has changed since both agreed wins. If both have, they are merged,
 * and the values of this browser win, because its person is typing there. A server that knows nothing deletes nothing.
 *
 * @param saved at least as new as the base of the server's edit
 */
export function afterLook(
  { local, agreed }: LookedAt,
  remote: AgreedEdit | null,
  saved: SavedContent,
): LookedAt {
  if (remote === null) return { local, agreed: NOTHING_AGREED }
  if (remote.changeId === agreed.changeId) return { local, agreed }
  const isUnchangedHere = isSameEdit(local, agreed.edit)
  if (isUnchangedHere || isSameEdit(local, remote.edit)) return { local: remote.edit, agreed: remote }
  // Discarded here and changed elsewhere, or the reverse: the changed one stays.
  if (local === null) return { local: remote.edit, agreed: remote }
  if (remote.edit === null) return { local, agreed: remote }
  return { local: merged(local, agreed.edit, remote.edit, saved), agreed: remote }
}

function merged(
  local: BasedEdit,
  former: BasedEdit | null,
  remote: BasedEdit,
  saved: SavedContent,
): BasedEdit {
  if (former?.base === local.base && former.base === remote.base) {
    const { content: mine } = mergeContents(former.edit.mine, local.edit.mine, remote.edit.mine)
    return { edit: { mine, from: local.edit.from }, base: local.base }
  }
  return broughtBack(remote, { ...local, saved })
}
