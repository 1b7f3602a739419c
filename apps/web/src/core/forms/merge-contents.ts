import {
  type ConfigContent,
  changedContent,
  haveSameShape,
  isConfigContent,
  isRecordLike,
  own,
  type RecordLike,
} from './config-content.ts'
import { isSameJson } from './json-path.ts'

/** A setting that two people changed to different values; undefined: absent. */
export interface SettingConflict {
  path: string
  base: unknown
  mine: unknown
  theirs: unknown
}

/** The outcome of a merge. Where both sides changed a setting, `content` has mine. */
export interface MergedContent {
  content: ConfigContent
  conflicts: readonly SettingConflict[]
}

/**
 * Joins two edits of one version by field: what only one side changed is taken from it, what both changed alike is no
 * conflict. Lists are joined item by item while each place has the same thing on all sides, and else compared as a whole: an
 * edit must never end on another tool, rule or member because a colleague moved one.
 */
export function mergeContents(
  base: ConfigContent,
  mine: ConfigContent,
  theirs: ConfigContent,
): MergedContent {
  const conflicts: SettingConflict[] = []
  const merged = merge({ base, mine, theirs }, '', conflicts)
  return { content: isConfigContent(merged) ? merged : mine, conflicts }
}

/** Joins two edits of one value in the same way; where both sides changed a part, it is mine. */
export function mergeValues(base: unknown, mine: unknown, theirs: unknown): unknown {
  return merge({ base, mine, theirs }, '', [])
}

/** Whose value a conflict ends with. */
export type MergeChoice = 'mine' | 'theirs'

/** The merged content after each conflict was decided, by path; mine where nothing was said. */
export function decided(
  { content, conflicts }: MergedContent,
  choices: Readonly<Record<string, MergeChoice>>,
): ConfigContent {
  return conflicts.reduce(
    (result, { path, theirs }) =>
      choices[path] === 'theirs' ? changedContent(result, path, theirs) : result,
    content,
  )
}

interface Sides {
  base: unknown
  mine: unknown
  theirs: unknown
}

function merge({ base, mine, theirs }: Sides, path: string, conflicts: SettingConflict[]): unknown {
  if (isSameJson(mine, theirs) || isSameJson(base, theirs)) return mine
  if (isSameJson(base, mine)) return theirs
  if (isRecordLike(mine) && isRecordLike(theirs) && haveSameShape(mine, theirs)) {
    const start: RecordLike = isRecordLike(base) ? base : Array.isArray(mine) ? [] : {}
    // A list in which an item was added on both sides has no common base for its items.
    const isJoinable =
      haveSameItems(start, mine, theirs) &&
      haveSameKind(path, mine, theirs) &&
      !hasDottedKey(mine) &&
      !hasDottedKey(theirs)
    if (haveSameShape(mine, start) && isJoinable)
      return mergeParts({ base: start, mine, theirs }, path, conflicts)
  }
  conflicts.push({ path, base, mine, theirs })
  return mine
}

/** A key with a dot in it has no path of its own, so what holds it is one setting. */
const hasDottedKey = (holder: RecordLike) => Object.keys(holder).some((key) => key.includes('.'))

/** Settings whose keys are kinds, of which there is one at a time. */
const ONE_OF: ReadonlySet<string> = new Set(['config.lead'])

function haveSameKind(path: string, mine: RecordLike, theirs: RecordLike): boolean {
  return !ONE_OF.has(path) || isSameJson(Object.keys(mine).toSorted(), Object.keys(theirs).toSorted())
}

/** What says which thing an item is, in the lists of agents, teams and voices. */
const IDENTITY = [
  ...['type', 'key', 'name', 'slug', 'builtin', 'skill_id', 'server_id', 'agent_id', 'agent', 'workflow_id'],
  ...['llm_config_id', 'model_id', 'provider', 'model', 'url', 'spec_url', 'prefix', 'pattern', 'question'],
]

/** Names which thing an item of a list is: the same wherever it stands. */
export const itemIdentity = (item: RecordLike) =>
  JSON.stringify(IDENTITY.map((key) => own(item, key) ?? null))

/** Whether each place of a list has the same thing on all sides, and no two places have things that look alike. */
function haveSameItems(base: RecordLike, mine: RecordLike, theirs: RecordLike): boolean {
  if (!Array.isArray(base)) return true
  const [before, here, there] = [base, mine, theirs].map((list) => Object.values(list).map(itemIdentity))
  return new Set(before).size === base.length && isSameJson(before, here) && isSameJson(before, there)
}

function mergeParts(
  { base, mine, theirs }: Record<keyof Sides, RecordLike>,
  path: string,
  conflicts: SettingConflict[],
): unknown {
  const keys = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
  const parts = keys.map((key) => {
    const sides = { base: own(base, key), mine: own(mine, key), theirs: own(theirs, key) }
    return [key, merge(sides, path === '' ? key : `${path}.${key}`, conflicts)] as const
  })
  if (Array.isArray(mine)) return parts.map(([, value]) => value)
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined))
}
