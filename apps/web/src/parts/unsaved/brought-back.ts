import { type ConfigContent, contentOf } from '@troupe/editor/values/config-content'
import { type EditedContent, editedFrom, mergeEdited, withIds } from '@troupe/editor/values/edited-content'
import { type ItemIds, idsOfList } from '@troupe/editor/values/item-ids'
import { isSameJson, valueAt } from '@troupe/editor/values/json-path'
import { type MergedContent, mergeContents } from '@troupe/editor/values/merge-contents'
import type { EditsToMerge } from './after-look.ts'
import {
  type ConfigEdit,
  contentOfEdit,
  editedOnTop,
  type KeptEdit,
  keptEdit,
  type ShownEdit,
} from './kept-edit.ts'
import type { SavedContent } from './saved-content.ts'

/**
 * A restored edit that was discarded: it is still an edit of its version, so other users' saves are merged with it again. For a
 * setting typed since, the newer value is kept.
 */
export function broughtBack(given: ConfigEdit, { edit, base, saved }: ShownEdit): ConfigEdit {
  if (edit === null) return given
  const from = contentOf(saved)
  const typed = editedOnTop({ edit, base, saved })
  const { mine } = mergeEdited(
    { ...from, ids: {} },
    typed,
    editedFrom(contentOfEdit(given.edit), given.edit.from, from),
  )
  return { edit: keptEdit(mine, given.edit.from), base: given.base }
}

/** An edit after a colleague's changes were removed from it. */
export interface TakenBack {
  /** null: nothing is left. */
  edit: ConfigEdit | null
  /** How many of the added settings have newer input, which is kept. */
  newer: number
  /** False: every added setting was saved or changed since. */
  isChanged: boolean
}

/**
 * The edit without a colleague's changes that were added to it. Only settings that still have the added value change:
 * input since then is kept.
 *
 * @param taken the edit with the added changes, as it was at that time
 * @param before the edit without them; null: there was none
 */
export function takenBack(
  taken: ConfigEdit,
  before: ConfigEdit | null,
  { edit, base, saved }: ShownEdit,
): TakenBack {
  const from = contentOf(saved)
  const onTop = (one: Pick<ShownEdit, 'edit' | 'base'> | null) =>
    editedOnTop({ edit: one?.edit ?? null, base: one?.base ?? null, saved })
  const now = onTop({ edit, base })
  const { mine, conflicts } = mergeEdited(onTop(taken), now, onTop(before))
  const [newer, isChanged] = [conflicts.length, !isSameJson(contentOf(mine), contentOf(now))]
  if (before !== null) {
    const { from: former } = before.edit
    const left = keptEdit(editedFrom(mine, from, former), former)
    return { edit: { edit: left, base: before.base }, newer, isChanged }
  }
  const isLeft = !isSameJson(contentOf(mine), from)
  return { edit: isLeft ? { edit: keptEdit(mine, from), base: saved.versionId } : null, newer, isChanged }
}

/**
 * Merges two edits of one user: the values of this browser win. `saved` is at least as new as the base of the
 * server's edit.
 */
export function mergedEdits(
  { local, former, remote }: EditsToMerge<KeptEdit>,
  saved: SavedContent,
): ConfigEdit {
  const areOfOne = [former, remote].every(
    (one) => one?.base === local.base && isSameJson(one.edit.from, local.edit.from),
  )
  if (former && areOfOne) {
    const { from } = local.edit
    const ofFrom = ({ edit }: ConfigEdit) => editedFrom(contentOfEdit(edit), edit.from, from)
    const { mine } = mergeEdited(ofFrom(former), ofFrom(local), ofFrom(remote))
    return { edit: keptEdit(mine, from), base: local.base }
  }
  if (former === null) return broughtBack(remote, { ...local, saved })
  // One of both is on a newer version. Only input since `former` is applied to the other edit: older values would replace newer ones of it.
  const { from } = remote.edit
  const theirs = contentOfEdit(remote.edit)
  const left = withInputSince(local, former, contentOf(theirs))
  const [of, now] = [editOf(former, from), editOf(local, from)]
  if (left.conflicts.length > 0 && of.ids && now.ids && theirs.ids) {
    // The ids of the remote edit distinguish contested look-alikes: without them, the list of one side would
    // replace that of the other.
    const { mine, conflicts } = mergeEdited(of, now, theirs)
    if (conflicts.length < left.conflicts.length) return { edit: keptEdit(mine, from), base: remote.base }
  }
  return { edit: { mine: left.content, from }, base: remote.base }
}

/** The content of an edit as one of another version. A setting that both have changed has the edited value. */
function editOf({ edit }: ConfigEdit, version: ConfigContent): EditedContent {
  const { ids, ...mine } = contentOfEdit(edit)
  const {
    content,
    from,
    ids: merged,
  } = mergeContents(edit.from, mine, version, {}, ids && { base: {}, mine: ids })
  return editedFrom(withIds(content, merged), from, version)
}

/** A content with the input of an edit since a previous edit, whose values are the base of the merge. */
function withInputSince({ edit }: ConfigEdit, former: ConfigEdit, theirs: ConfigContent): MergedContent {
  const [now, of] = [contentOfEdit(edit), contentOfEdit(former.edit)]
  const ofFormer = of.ids && { base: {}, mine: of.ids }
  const before = mergeContents(former.edit.from, contentOf(of), edit.from, {}, ofFormer)
  // With a conflict, the ids of `before` mean items of another base than those of `now`.
  const areOfOne = before.ids !== undefined && isSameJson(before.from, edit.from)
  const ids = areOfOne && now.ids ? idsOn(withIds(before.content, before.ids), now) : undefined
  return mergeContents(before.content, contentOf(now), theirs, {}, ids && { base: {}, mine: ids })
}

/** The ids of an edited content as an edit of another content with ids of the same items. */
function idsOn(before: EditedContent, now: EditedContent): ItemIds {
  const listAt = ({ ids = {}, ...content }: EditedContent, path: string) => {
    const items = valueAt(content, path)
    return Array.isArray(items) ? idsOfList(ids, path, items) : []
  }
  const paths = new Set([...Object.keys(before.ids ?? {}), ...Object.keys(now.ids ?? {})])
  const lists = [...paths].map((path) => {
    const former = listAt(before, path)
    const ids = listAt(now, path).map((id) => {
      const index = former.indexOf(id)
      // An item that `before` has removed is new in its terms, where its number is that of another item.
      if (index === -1) return /^\d+$/.test(id) ? `new ${id}` : id
      return String(index)
    })
    return [path, ids] as const
  })
  return Object.fromEntries(lists)
}

/**
 * The part of an edit that is newer than `former`, which was saved or discarded elsewhere; null: nothing. The agreed
 * values are the base of the merge, so the saved state replaces them, and a setting that was reset since is newer
 * input, too.
 *
 * @param agreed the ended edit; null: none is known, so the whole edit is newer
 * @param saved read after it had ended
 */
export function configEditSince(
  { edit, base }: ConfigEdit,
  agreed: ConfigEdit | null,
  saved: SavedContent,
): ConfigEdit | null {
  const former = agreed ?? { edit: keptEdit({ ...edit.from, ids: {} }, edit.from), base }
  if (base === saved.versionId) {
    const { from } = edit
    const [of, now] = [editOf(former, from), contentOfEdit(edit)]
    // The values and the ids of all three are those of one version.
    const { mine } = mergeEdited(of, now, { ...from, ids: {} })
    return isSameJson(contentOf(mine), from) ? null : { edit: keptEdit(mine, from), base }
  }
  const theirs = contentOf(saved)
  const left = withInputSince({ edit, base }, former, theirs)
  const mine = withIds(left.content, left.ids)
  if (left.conflicts.length > 0) return { edit: keptEdit(mine, left.from), base }
  return isSameJson(left.content, theirs) ? null : { edit: keptEdit(mine, theirs), base: saved.versionId }
}
