import type { SettingChange } from '@troupe/editor/values/config-content'
import type { SettingConflict } from '@troupe/editor/values/merge-contents'
import { settingLabelWords as words } from '../messages/en/agents/setting-labels.ts'

/**
 * The words of a setting, by its path.
 *
 * @param item the whole item of a list that is at the path; the configuration may have another one there, or none
 */
export type LabelOf = (path: string, item?: unknown) => string

/** The label of a change: "Tools: order", "Tool calculator: added", or its setting. */
export function changeLabel({ path, kind, before, after }: SettingChange, labelOf: LabelOf): string {
  if (kind === undefined) return labelOf(path)
  if (kind === 'order') return words.order(labelOf(path))
  const item = labelOf(path, after ?? before)
  return kind === 'added' ? words.added(item) : words.removed(item)
}

/** The label of a conflict: its setting, its item, or the order of a list. */
export function conflictLabel(conflict: SettingConflict, labelOf: LabelOf): string {
  const { path, kind, base, mine, theirs } = conflict
  if (kind === undefined) return labelOf(path)
  return kind === 'order' ? words.order(labelOf(path)) : labelOf(path, mine ?? theirs ?? base)
}
