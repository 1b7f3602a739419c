import { isJsonObject } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'
import { isSameJson } from '../values/json-path.ts'
import {
  type MergeChoice,
  type MergeChoices,
  mergeContents,
  type SettingConflict,
} from '../values/merge-contents.ts'

/** A merged node, with the settings that both users changed to different values. */
export interface MergedNode {
  node: GraphNode
  conflicts: readonly SettingConflict[]
}

/**
 * Merges two edits of one node by field, and its config by setting. Conflicts are resolved by `winner`, for all or by
 * their ids. My position always wins, because a position on the canvas is not worth a prompt.
 */
export function mergeNode(
  base: GraphNode,
  mine: GraphNode,
  theirs: GraphNode,
  winner: MergeChoice | MergeChoices = 'mine',
): MergedNode {
  const [before, own, other] = [base, mine, theirs].map(contentOf)
  if (!before || !own || !other) return { node: mine, conflicts: [] }
  const found = mergeContents(before, own, other)
  const choices =
    typeof winner === 'string' ? Object.fromEntries(found.conflicts.map(({ id }) => [id, winner])) : winner
  const { content } = winner === 'mine' ? found : mergeContents(before, own, other, choices)
  const joined = content.config
  const { disabled: _, ...rest } = theirs
  const node: GraphNode = {
    ...rest,
    type: typeof joined.type === 'string' ? joined.type : mine.type,
    name: content.name,
    parentId: typeof joined.parentId === 'string' && joined.parentId !== '' ? joined.parentId : null,
    position: isSameJson(base.position, mine.position) ? theirs.position : mine.position,
    config: isJsonObject(joined.settings) ? joined.settings : {},
    ...(joined.disabled === true && { disabled: true }),
  }
  return { node, conflicts: found.conflicts.map(ofNode) }
}

/** The frame and the type are merged like settings, beside those of the config. */
function contentOf({ name, type, parentId, config, disabled }: GraphNode) {
  const parts = { type, parentId: parentId ?? '', disabled: disabled === true, settings: config }
  return { name, description: null, config: parts }
}

/** Its path below the node: `name`, `type`, `parentId`, `disabled`, `config.rows.0.value`. */
function ofNode(conflict: SettingConflict): SettingConflict {
  const path = conflict.path.replace(/^config\.(settings(?=\.|$)|)/, (_, key: string) =>
    key === '' ? '' : 'config',
  )
  return { ...conflict, path }
}
