import { isJsonObject } from '@troupe/contract'
import { type ConfigContent, contentOf, isConfigContent } from '../../core/forms/config-content.ts'
import { isSameJson } from '../../core/forms/json-path.ts'
import { type MergedContent, mergeContents } from '../../core/forms/merge-contents.ts'
import type { SavedContent } from './saved-content.ts'

/** An edit as the browser keeps it, with the content that it was made from. */
export interface KeptEdit {
  mine: ConfigContent
  from: ConfigContent
}

export function isKeptEdit(value: unknown): value is KeptEdit {
  return isJsonObject(value) && isConfigContent(value.mine) && isConfigContent(value.from)
}

/**
 * An edit on top of what is saved now. If somebody saved since, both are joined by field; the edit stays as it is kept until
 * its conflicts are decided.
 *
 * @param base the version that the edit was made from
 */
export function editOnTop(edit: KeptEdit | null, base: string | null, saved: SavedContent): MergedContent {
  if (edit === null) return { content: contentOf(saved), conflicts: [] }
  if (base === saved.versionId) return { content: edit.mine, conflicts: [] }
  return mergeContents(edit.from, edit.mine, contentOf(saved))
}

/** An edit that is kept, with the version that it was made from. */
export interface BasedEdit {
  edit: KeptEdit
  base: string | null
}

/**
 * What was typed while a save was under way, as an edit of what was sent; null: everything is saved. The edit can be one of an
 * older version than the one that was sent on top of: both are compared on the same one, or what a colleague saved in between
 * would look like something that was typed back.
 *
 * @param from the version that `sent` replaced
 */
export function editAfterSave(
  { edit, base }: BasedEdit,
  sent: ConfigContent,
  from: SavedContent,
  answer: SavedContent,
): KeptEdit | null {
  const rest = { mine: editOnTop(edit, base, from).content, from: sent }
  const after = editOnTop(rest, from.versionId, answer)
  return isSameJson(after.content, contentOf(answer)) ? null : rest
}

/**
 * Whether an edit says only what is saved, and can be forgotten: kept, it would look like one against the next change of
 * somebody else. One of another version that came from another tab is that tab's, which may know a newer version than this one.
 *
 * @param isOwn whether it was typed in this tab
 */
export function isSpent({ edit, base }: BasedEdit, saved: SavedContent, isOwn: boolean): boolean {
  if (base !== saved.versionId && !isOwn) return false
  return isSameJson(editOnTop(edit, base, saved).content, contentOf(saved))
}
