import { contentOf } from '@troupe/editor/values/config-content'
import { editedFrom, mergeEdited } from '@troupe/editor/values/edited-content'
import { isSameJson } from '@troupe/editor/values/json-path'
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

/** Two edits of one person in one: the values of this browser win. `saved` is at least as new as the base of the server's edit. */
export function mergedEdits(
  { local, former, remote }: EditsToMerge<KeptEdit>,
  saved: SavedContent,
): ConfigEdit {
  if (former?.base === local.base && former.base === remote.base) {
    const { from } = local.edit
    const ofFrom = ({ edit }: ConfigEdit) => editedFrom(contentOfEdit(edit), edit.from, from)
    const { mine } = mergeEdited(ofFrom(former), ofFrom(local), ofFrom(remote))
    return { edit: keptEdit(mine, from), base: local.base }
  }
  return broughtBack(remote, { ...local, saved })
}
