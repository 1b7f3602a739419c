import { isJsonObject, type JsonObject } from '@troupe/contract'
import { type ConfigContent, isConfigContent, own } from './config-content.ts'
import { isJsonItems, itemIdentity, type JsonItems } from './item-pairs.ts'
import { isSameJson } from './json-path.ts'
import { arranged, movedBy, type SharedItem, type SharedItems, sharedItems } from './merge-items.ts'

/** A setting that two people changed to different values; undefined: absent. */
export interface SettingConflict {
  /** Stable whatever else is decided, and wherever a later save moves its item. */
  id: string
  /** The path in the merged content, or in the colleague's content for an item that the merge does not have. */
  path: string
  /** Absent: one setting. `item`: a whole item of a list. `order`: the order of the items that both have kept. */
  kind?: 'item' | 'order'
  base: unknown
  mine: unknown
  theirs: unknown
}

/** The outcome of a merge. An undecided conflict has my value in `content`. */
export interface MergedContent {
  content: ConfigContent
  /** The base of `content`: theirs, with the former values of contested settings. */
  from: ConfigContent
  conflicts: readonly SettingConflict[]
}

/** The side that wins a conflict. */
export type MergeChoice = 'mine' | 'theirs'

/** By the id of the conflict; mine by default. */
export type MergeChoices = Readonly<Record<string, MergeChoice>>

/**
 * Merges two edits of one version by field: a change of one side is applied, and equal changes are no conflict. Lists are merged item by
 * item, whatever their order, including added and removed items. Where items are so similar that an edit could be applied to the wrong one,
 * the list is one setting.
 */
export function mergeContents(
  base: ConfigContent,
  mine: ConfigContent,
  theirs: ConfigContent,
  choices: MergeChoices = {},
): MergedContent {
  const conflicts: SettingConflict[] = []
  const { value, from } = merge({ base, mine, theirs }, ROOT, { choices, conflicts })
  return {
    content: isConfigContent(value) ? value : mine,
    from: isConfigContent(from) ? from : base,
    conflicts,
  }
}

/** Merges two edits of one value in the same way; a value that both sides changed differently is mine and contested. */
export function mergeValues(
  base: unknown,
  mine: unknown,
  theirs: unknown,
): { value: unknown; isContested: boolean } {
  const conflicts: SettingConflict[] = []
  const { value } = merge({ base, mine, theirs }, ROOT, { choices: {}, conflicts })
  return { value, isContested: conflicts.length > 0 }
}

interface Sides {
  base: unknown
  mine: unknown
  theirs: unknown
}

/** A merged value; undefined: it is absent. */
interface Merged {
  value: unknown
  /** The base of the value. */
  from: unknown
}

type Place = Pick<SettingConflict, 'id' | 'path'>

interface Merging {
  choices: MergeChoices
  conflicts: SettingConflict[]
}

const ROOT: Place = { id: '', path: '' }

const below = ({ id, path }: Place, key: string, idKey = key): Place =>
  path === '' ? { id: idKey, path: key } : { id: `${id}.${idKey}`, path: `${path}.${key}` }

function merge({ base, mine, theirs }: Sides, place: Place, merging: Merging): Merged {
  if (isSameJson(mine, theirs) || isSameJson(base, theirs)) return { value: mine, from: theirs }
  if (isSameJson(base, mine)) return { value: theirs, from: theirs }
  if (isJsonItems(mine) && isJsonItems(theirs)) {
    const start = base ?? []
    const merged = isJsonItems(start) ? mergeLists({ base: start, mine, theirs }, place, merging) : null
    if (merged !== null) return merged
  } else if (isJsonObject(mine) && isJsonObject(theirs) && !Array.isArray(base)) {
    const start = isJsonObject(base) ? base : {}
    const isJoinable = haveSameKind(place.path, mine, theirs) && !hasDottedKey(mine) && !hasDottedKey(theirs)
    if (isJoinable) return mergeParts({ base: start, mine, theirs }, place, merging)
  }
  return decided({ ...place, base, mine, theirs }, merging)
}

/** Records a conflict and returns the resulting value. */
function decided(conflict: SettingConflict, merging: Merging): Merged {
  const { base, mine, theirs } = conflict
  return { value: decidedBetween(conflict, merging) === 'mine' ? mine : theirs, from: base }
}

/** Records a conflict and returns the winning side. */
function decidedBetween(conflict: SettingConflict, { choices, conflicts }: Merging): MergeChoice {
  conflicts.push(conflict)
  return choices[conflict.id] ?? 'mine'
}

/** A key with a dot has no path of its own, so its parent is one setting. */
const hasDottedKey = (holder: JsonObject) => Object.keys(holder).some((key) => key.includes('.'))

/** Settings with kinds as keys, one at a time. */
const ONE_OF: ReadonlySet<string> = new Set(['config.lead'])

function haveSameKind(path: string, mine: JsonObject, theirs: JsonObject): boolean {
  return !ONE_OF.has(path) || isSameJson(Object.keys(mine).toSorted(), Object.keys(theirs).toSorted())
}

function mergeParts(
  { base, mine, theirs }: Record<keyof Sides, JsonObject>,
  place: Place,
  merging: Merging,
): Merged {
  const keys = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
  const parts = keys.map((key) => {
    const sides = { base: own(base, key), mine: own(mine, key), theirs: own(theirs, key) }
    return [key, merge(sides, below(place, key), merging)] as const
  })
  const joined = (part: keyof Merged) =>
    Object.fromEntries(
      parts.flatMap(([key, merged]) => (merged[part] === undefined ? [] : [[key, merged[part]]])),
    )
  return { value: joined('value'), from: joined('from') }
}

/** null: items are similar, so the correspondence is ambiguous. */
function mergeLists(sides: Record<keyof Sides, JsonItems>, place: Place, merging: Merging): Merged | null {
  const shared = sharedItems(sides)
  if (shared === null) return null
  const { items, order } = shared
  const mover = movedBy(shared)
  const arrange = (leader: MergeChoice, isKept: (number: number) => boolean) =>
    leader === 'mine'
      ? arranged(order.mine, order.theirs, isKept)
      : arranged(order.theirs, order.mine, isKept)
  // Paths are those of the content with my value in every conflict: the editor shows that content.
  const undecided = arrange(mover === 'theirs' ? 'theirs' : 'mine', (number) => {
    const item = items.get(number)
    return item !== undefined && isInMerge(item)
  })
  const merged = new Map<number, Merged>()
  for (const [number, item] of items) {
    const at = undecided.indexOf(number)
    const key = String(at === -1 ? order.theirs.indexOf(number) : at)
    const id = itemIdentity(item.base ?? item.mine ?? item.theirs ?? {})
    merged.set(number, mergeItem(item, below(place, key, id), merging))
  }
  const leader = mover === 'both' ? decidedBetween(orderConflict(shared, place), merging) : mover
  const mergedAt = (number: number) => merged.get(number)?.value
  const formerOf = (number: number) => merged.get(number)?.from
  const numbers = arrange(leader === 'theirs' ? 'theirs' : 'mine', (number) => mergedAt(number) !== undefined)
  const [first, second] = mover === 'both' ? [order.base, order.theirs] : [order.theirs, order.base]
  const formers = arranged(first, second, (number) => formerOf(number) !== undefined)
  return { value: numbers.map(mergedAt), from: formers.map(formerOf) }
}

/** Whether an item is in the merged list before any decision. */
function isInMerge({ base, mine, theirs }: SharedItem): boolean {
  if (base === undefined) return true
  return mine !== undefined && (theirs !== undefined || !isSameJson(base, mine))
}

function mergeItem(item: SharedItem, place: Place, merging: Merging): Merged {
  const { base, mine, theirs, isReplaced } = item
  if (isSameJson(mine, theirs)) return { value: mine, from: theirs }
  if (mine !== undefined && theirs !== undefined) {
    if (base !== undefined && !isReplaced) return merge(item, place, merging)
    if (isSameJson(base, theirs)) return { value: mine, from: theirs }
    if (isSameJson(base, mine)) return { value: theirs, from: theirs }
  } else {
    // Only one side has it: it is new, or mine has replaced the one that they removed. If theirs replaced the one that I removed, it is a
    // conflict: theirs may respond to my latest input.
    if (base === undefined || (isReplaced && theirs === undefined))
      return { value: mine ?? theirs, from: theirs }
    // The other side has removed an unchanged item.
    if (isSameJson(base, mine ?? theirs)) return { value: undefined, from: theirs }
  }
  return decided({ ...place, kind: 'item', base, mine, theirs }, merging)
}

function orderConflict({ items, order }: SharedItems, { id, path }: Place): SettingConflict {
  const listed = (numbers: readonly number[]) =>
    numbers.flatMap((number) => {
      const item = items.get(number)
      return item?.base && item.mine && item.theirs ? [item.mine] : []
    })
  return {
    ...{ id: `${id} order`, path, kind: 'order' },
    ...{ base: listed(order.base), mine: listed(order.mine), theirs: listed(order.theirs) },
  }
}
