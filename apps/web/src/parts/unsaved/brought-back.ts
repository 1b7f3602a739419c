import { contentOf } from '@troupe/editor/values/config-content'
import { isSameJson } from '@troupe/editor/values/json-path'
import { mergeContents } from '@troupe/editor/values/merge-contents'
import { type BasedEdit, editOnTop, type ShownEdit } from './kept-edit.ts'

/**
 * A restored edit that was discarded: it is still an edit of its version, so other users' saves are merged with it again. For a
 * setting typed since, the newer value is kept.
 */
export function broughtBack(given: BasedEdit, { edit, base, saved }: ShownEdit): BasedEdit {
  if (edit === null) return given
  const typed = editOnTop(edit, base, saved).content
  const { content: mine } = mergeContents(contentOf(saved), typed, given.edit.mine)
  return { edit: { mine, from: given.edit.from }, base: given.base }
}

/**
 * The edit without a colleague's changes that were added to it; null: nothing is left. Input since then is kept, and is the newer one of the
 * same setting.
 *
 * @param taken the edit with the added changes, as it was then
 * @param before the edit without them; null: there was none
 */
export function takenBack(
  taken: BasedEdit,
  before: BasedEdit | null,
  { edit, base, saved }: ShownEdit,
): BasedEdit | null {
  const onTop = (one: Pick<ShownEdit, 'edit' | 'base'> | null) =>
    editOnTop(one?.edit ?? null, one?.base ?? null, saved).content
  const { content: mine } = mergeContents(onTop(taken), onTop({ edit, base }), onTop(before))
  if (before !== null) return { edit: { mine, from: before.edit.from }, base: before.base }
  const from = contentOf(saved)
  return isSameJson(mine, from) ? null : { edit: { mine, from }, base: saved.versionId }
}
