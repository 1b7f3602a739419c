import { isJsonObject } from '@troupe/contract'
import {
  type ConfigContent,
  changedContent,
  contentOf,
  isConfigContent,
} from '@troupe/editor/values/config-content'
import { type EditedContent, editedFrom, withIds } from '@troupe/editor/values/edited-content'
import { type ItemIds, idsAfterChange, isItemIds } from '@troupe/editor/values/item-ids'
import { isSameJson } from '@troupe/editor/values/json-path'
import { type MergeChoices, type MergedContent, mergeContents } from '@troupe/editor/values/merge-contents'
import { randomId } from '../../infrastructure/client/random-id.ts'
import type { DraftOrigin } from '../../infrastructure/drafts/use-draft.ts'
import type { BasedEdit } from './based-edit.ts'
import type { SavedContent } from './saved-content.ts'

/** An edit in the browser's storage, with its base content. */
export interface KeptEdit {
  mine: ConfigContent
  from: ConfigContent
  /**
   * The ids of the items of `mine`. Not a part of `mine`: a page of an earlier build keeps unknown keys of `mine`
   * while it changes the lists, and drops unknown keys beside it.
   */
  ids?: ItemIds
}

export function isKeptEdit(value: unknown): value is KeptEdit {
  return isJsonObject(value) && isConfigContent(value.mine) && isConfigContent(value.from)
}

export function keptEdit(mine: EditedContent, from: ConfigContent): KeptEdit {
  const { ids } = mine
  return { mine: contentOf(mine), from, ...(ids && { ids }) }
}

/** The content of an edit. Ids of another form are those of another build. */
export function contentOfEdit({ mine, ids }: KeptEdit): EditedContent {
  return withIds(contentOf(mine), isItemIds(ids) ? ids : undefined)
}

/**
 * An edit on top of the current saved state. If somebody saved since, both are merged by field; the edit is kept unchanged until
 * its conflicts are decided.
 *
 * @param base the version that the edit is based on
 * @param choices the decisions of the conflicts
 */
export function editOnTop(
  edit: KeptEdit | null,
  base: string | null,
  saved: SavedContent,
  choices: MergeChoices = {},
): MergedContent {
  const from = contentOf(saved)
  if (edit === null) return { content: from, from, conflicts: [], ids: {} }
  const { ids, ...mine } = contentOfEdit(edit)
  if (base === saved.versionId) return { content: mine, from: edit.from, conflicts: [], ...(ids && { ids }) }
  return mergeContents(edit.from, mine, from, choices, ids && { base: {}, mine: ids })
}

/** The same as an edit of the saved state. */
export function editedOnTop({ edit, base, saved }: ShownEdit): EditedContent {
  const { content, from, ids } = editOnTop(edit, base, saved)
  return editedFrom(withIds(content, ids), from, contentOf(saved))
}

/** An edit of an agent, a team or a voice. */
export type ConfigEdit = BasedEdit<KeptEdit>

/** The content of an editor: the saved state, with or without an edit. */
export interface ShownEdit {
  edit: KeptEdit | null
  base: string | null
  saved: SavedContent
}

/**
 * The edit after a change of one value; null: no change. Undecided parts are still an edit of their version; everything else is one
 * of the current saved state.
 */
export function editWithChange(
  { edit, base, saved }: ShownEdit,
  path: string,
  value: unknown,
): ConfigEdit | null {
  const { content, from, conflicts, ids } = editOnTop(edit, base, saved)
  const changed = changedContent(content, path, value)
  if (changed === content) return null
  const mine = withIds(changed, ids && idsAfterChange(ids, content, changed, randomId))
  if (edit !== null && base !== null && conflicts.length > 0) return { edit: keptEdit(mine, from), base }
  return { edit: keptEdit(mine, contentOf(saved)), base: saved.versionId }
}

/** The newer one of the page's response and a save's response, which may arrive in any order. */
export function newerSaved(saved: SavedContent, answer: SavedContent | null): SavedContent {
  return answer !== null && answer.versionNumber > saved.versionNumber ? answer : saved
}

/**
 * Input during a save, as an edit of the sent state; null: everything is saved. The edit may be based on an older version than the
 * sent one: both are compared on the same base, or a colleague's save in between would look like a reverted change. An edit of the
 * response, or of a later save by somebody, is kept unchanged.
 *
 * @param from the version that `sent` replaced
 */
export function editAfterSave(
  { edit, base, saved }: ShownEdit,
  sent: ConfigContent,
  from: SavedContent,
  answer: SavedContent,
): ConfigEdit | null {
  if (edit === null || base === null) return null
  const isOfLater = base === saved.versionId && saved.versionNumber > answer.versionNumber
  if (isOfLater || base === answer.versionId) return { edit, base }
  const { content } = editOnTop(edit, base, from)
  const rest = keptEdit(withIds(content, idsAfterChange({}, sent, content, randomId)), sent)
  const after = editOnTop(rest, from.versionId, answer)
  return isSameJson(after.content, contentOf(answer)) ? null : { edit: rest, base: from.versionId }
}

/**
 * Whether an edit equals the saved state and can be dropped: kept, it would conflict with the next change of somebody else, and
 * look unsent. One of another version from another tab belongs to that tab, which may know a newer version than this one.
 *
 * @param isNewest whether `saved` was fetched after the edit was found in the storage
 */
export function isSpent(
  { edit, base }: ConfigEdit,
  saved: SavedContent,
  origin: DraftOrigin,
  isNewest: boolean,
): boolean {
  const isSure = origin === 'here' || (origin === 'storage' && isNewest)
  if (base !== saved.versionId && !isSure) return false
  return isSameJson(editOnTop(edit, base, saved).content, contentOf(saved))
}
