import { contentOf } from '@troupe/editor/values/config-content'
import { isSameJson } from '@troupe/editor/values/json-path'
import { mergeContents } from '@troupe/editor/values/merge-contents'
import type { EditsToMerge } from './after-look.ts'
import { type ConfigEdit, editOnTop, type KeptEdit, type ShownEdit } from './kept-edit.ts'
import type { SavedContent } from './saved-content.ts'

/**
 * A restored edit that was discarded: it is still an edit of its version, so other users' saves are merged with it again. For a
 * setting typed since, the newer value is kept.
 */
export function broughtBack(given: ConfigEdit, { edit, base, saved }: ShownEdit): ConfigEdit {
  if (edit === null) return given
  const typed = editOnTop(edit, base, saved).content
  const { content: mine } = mergeContents(contentOf(saved), typed, given.edit.mine)
  return { edit: { mine, from: given.edit.from }, base: given.base }
}

/** An edit after a colleague's changes were taken out of it. */
export interface TakenBack {
  /** null: nothing is left. */
  edit: ConfigEdit | null
  /** How many of the added settings have newer input, which is kept. */
  newer: number
  /** False: every added setting was saved or changed since. */
  isChanged: boolean
}

/**
 * The edit without a colleague's changes that were added to it. Only settings that still have the added value change: input since then is
 * kept.
 *
 * @param taken the edit with the added changes, as it was then
 * @param before the edit without them; null: there was none
 */
export function takenBack(
  taken: ConfigEdit,
  before: ConfigEdit | null,
  { edit, base, saved }: ShownEdit,
): TakenBack {
  const onTop = (one: Pick<ShownEdit, 'edit' | 'base'> | null) =>
    editOnTop(one?.edit ?? null, one?.base ?? null, saved).content
  const now = onTop({ edit, base })
  const { content: mine, conflicts } = mergeContents(onTop(taken), now, onTop(before))
  const [newer, isChanged] = [conflicts.length, !isSameJson(mine, now)]
  if (before !== null)
    return { edit: { edit: { mine, from: before.edit.from }, base: before.base }, newer, isChanged }
  const from = contentOf(saved)
  const isLeft = !isSameJson(mine, from)
  return { edit: isLeft ? { edit: { mine, from }, base: saved.versionId } : null, newer, isChanged }
}

/** Two edits of one person in one: the values of this browser win. `saved` is at least as new as the base of the server's edit. */
export function mergedEdits(
  { local, former, remote }: EditsToMerge<KeptEdit>,
  saved: SavedContent,
): ConfigEdit {
  if (former?.base === local.base && former.base === remote.base) {
    const { content: mine } = mergeContents(former.edit.mine, local.edit.mine, remote.edit.mine)
    return { edit: { mine, from: local.edit.from }, base: local.base }
  }
  return broughtBack(remote, { ...local, saved })
}
