import { isJsonObject } from '@troupe/contract'
import {
  type ConfigContent,
  changedContent,
  contentOf,
  isConfigContent,
} from '@troupe/editor/values/config-content'
import { isSameJson } from '@troupe/editor/values/json-path'
import { type MergeChoices, type MergedContent, mergeContents } from '@troupe/editor/values/merge-contents'
import type { DraftOrigin } from '../../infrastructure/drafts/use-draft.ts'
import type { BasedEdit } from './based-edit.ts'
import type { SavedContent } from './saved-content.ts'

/** An edit in the browser's storage, with its base content. */
export interface KeptEdit {
  mine: ConfigContent
  from: ConfigContent
}

export function isKeptEdit(value: unknown): value is KeptEdit {
  return isJsonObject(value) && isConfigContent(value.mine) && isConfigContent(value.from)
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
  if (edit === null) return { content: from, from, conflicts: [] }
  if (base === saved.versionId) return { content: edit.mine, from: edit.from, conflicts: [] }
  return mergeContents(edit.from, edit.mine, contentOf(saved), choices)
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
  const { content, from, conflicts } = editOnTop(edit, base, saved)
  const mine = changedContent(content, path, value)
  if (mine === content) return null
  if (edit !== null && base !== null && conflicts.length > 0) return { edit: { mine, from }, base }
  return { edit: { mine, from: contentOf(saved) }, base: saved.versionId }
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
  const rest = { mine: editOnTop(edit, base, from).content, from: sent }
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
