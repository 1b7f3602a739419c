import { isJsonObject } from '@troupe/contract'
import { type ConfigContent, contentOf, isConfigContent } from '../../core/forms/config-content.ts'
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
