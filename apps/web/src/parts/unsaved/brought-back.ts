import { contentOf } from '@troupe/editor/values/config-content'
import { mergeContents } from '@troupe/editor/values/merge-contents'
import { type BasedEdit, editOnTop, type ShownEdit } from './kept-edit.ts'

/**
 * An edit that was given up, as it comes back: it stays an edit of its version, so what somebody else saved is joined with it
 * again. Of a setting that was typed since it was given up, the newer value stays.
 */
export function broughtBack(given: BasedEdit, { edit, base, saved }: ShownEdit): BasedEdit {
  if (edit === null) return given
  const typed = editOnTop(edit, base, saved).content
  const { content: mine } = mergeContents(contentOf(saved), typed, given.edit.mine)
  return { edit: { mine, from: given.edit.from }, base: given.base }
}
