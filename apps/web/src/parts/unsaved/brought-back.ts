import { contentOf } from '@troupe/editor/values/config-content'
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
