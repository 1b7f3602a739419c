import { type ConfigContent, contentOf } from './config-content.ts'
import type { ItemIds } from './item-ids.ts'
import { isSameJson } from './json-path.ts'
import { type MergedContent, mergeContents } from './merge-contents.ts'

/** An edited content, with the ids of the items of its lists. Without them, items are paired by their values. */
export interface EditedContent extends ConfigContent {
  ids?: ItemIds
}

export function withIds(content: ConfigContent, ids: ItemIds | undefined): EditedContent {
  return ids === undefined ? content : { ...content, ids }
}

/**
 * An edited content as an edit of `from`.
 *
 * @param former the content that it is an edit of; the ids refer to its items
 */
export function editedFrom(mine: EditedContent, former: ConfigContent, from: ConfigContent): EditedContent {
  return isSameJson(contentOf(former), contentOf(from)) ? mine : contentOf(mine)
}

/** Merges two edits of one content by field; a contested value is mine. */
export function mergeEdited(
  base: EditedContent,
  mine: EditedContent,
  theirs: EditedContent,
): { mine: EditedContent; conflicts: MergedContent['conflicts'] } {
  const ids = base.ids && mine.ids && theirs.ids && { base: base.ids, mine: mine.ids, theirs: theirs.ids }
  const sides = [contentOf(base), contentOf(mine), contentOf(theirs)] as const
  const merged = mergeContents(...sides, {}, ids)
  return { mine: withIds(merged.content, merged.ids), conflicts: merged.conflicts }
}
