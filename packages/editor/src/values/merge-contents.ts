import { isJsonObject, type JsonObject } from '@troupe/contract'
import { type ConfigContent, isConfigContent, own } from './config-content.ts'
import { type ItemIds, idsBelow, idsOfList, isWithinItem } from './item-ids.ts'
import { isJsonItems, itemIdentity, type JsonItems } from './item-pairs.ts'
import { isSameJson } from './json-path.ts'
import {
  arranged,
  type ListIds,
  movedBy,
  type SharedItem,
  type SharedItems,
  sharedItems,
} from './merge-items.ts'

/** A setting that two users changed to different values; undefined: absent. */
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
  /** The base of `content`: theirs, with the previous values of contested settings. */
  from: ConfigContent
  conflicts: readonly SettingConflict[]
  /** The ids of the items of `content`; absent: those of the merged sides are unknown, or a conflict was decided. */
  ids?: ItemIds
}

/** The ids of the items of the sides of a merge. */
export interface MergedIds {
  base: ItemIds
  mine: ItemIds
  /** Absent: theirs is another version, which has none. Else all sides are edits of one content. */
  theirs?: ItemIds
}

/** The side that wins a conflict. */
export type MergeChoice = 'mine' | 'theirs'

/** By the id of the conflict; mine by default. */
export type MergeChoices = Readonly<Record<string, MergeChoice>>

/**
 * Merges two edits of one version by field: a change of one side is applied, and equal changes are not conflicts. Lists
 * are merged item by item, whatever their order, including added and removed items. Where items are so similar that an
 * edit could be applied to the wrong one, the list is one setting. Items with ids are paired by them.
 */
export function mergeContents(
  base: ConfigContent,
  mine: ConfigContent,
  theirs: ConfigContent,
  choices: MergeChoices = {},
  known?: MergedIds,
): MergedContent {
  const conflicts: SettingConflict[] = []
  const merging = { choices, conflicts, known }
  const { value, from, ids } = merge({ base, mine, theirs }, ROOT, merging)
  const areKnown = merging.known !== undefined && Object.keys(choices).length === 0
  return {
    content: isConfigContent(value) ? value : mine,
    from: isConfigContent(from) ? from : base,
    conflicts,
    ...(areKnown && { ids }),
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
  /** The ids of the items of lists in the value, as in {@link MergedContent.ids}. */
  ids: ItemIds
}

type Place = Pick<SettingConflict, 'id' | 'path'>

interface Merging {
  choices: MergeChoices
  conflicts: SettingConflict[]
  known?: MergedIds | undefined
}

const NO_IDS: ItemIds = {}

/** The ids of a value that is taken whole from one side. */
const idsOf = (side: MergeChoice, { path }: Place, { known }: Merging) =>
  idsBelow(known?.[side] ?? NO_IDS, path)

const ROOT: Place = { id: '', path: '' }

const below = ({ id, path }: Place, key: string, idKey = key): Place =>
  path === '' ? { id: idKey, path: key } : { id: `${id}.${idKey}`, path: `${path}.${key}` }

function merge({ base, mine, theirs }: Sides, place: Place, merging: Merging): Merged {
  const mineWhole = () => ({ value: mine, from: theirs, ids: idsOf('mine', place, merging) })
  const theirsWhole = () => ({ value: theirs, from: theirs, ids: idsOf('theirs', place, merging) })
  if (isSameJson(base, theirs)) return mineWhole()
  if (isSameJson(mine, theirs)) return { ...theirsWhole(), value: mine }
  if (isSameJson(base, mine)) return theirsWhole()
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
  const side = decidedBetween(conflict, merging)
  return { value: side === 'mine' ? mine : theirs, from: base, ids: idsOf(side, conflict, merging) }
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
  const joined = (part: 'value' | 'from') =>
    Object.fromEntries(
      parts.flatMap(([key, merged]) => (merged[part] === undefined ? [] : [[key, merged[part]]])),
    )
  const ids = Object.assign({}, ...parts.map(([, merged]) => merged.ids))
  return { value: joined('value'), from: joined('from'), ids }
}

/** null: items are similar, so the correspondence is ambiguous. */
function mergeLists(sides: Record<keyof Sides, JsonItems>, place: Place, merging: Merging): Merged | null {
  const known = knownIds(sides, place.path, merging)
  const shared = sharedItems(sides, known)
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
  const ids = idsOfMerged(numbers, { formers, order, known })
  return {
    value: numbers.map(mergedAt),
    from: formers.map(formerOf),
    ids: ids ? { [place.path]: ids } : NO_IDS,
  }
}

const UNKNOWN: ListIds = { base: null, mine: null, theirs: null }

/** The ids of a list on each side; a list within an item has none. Ids that do not fit their list make all unknown. */
function knownIds(sides: Record<keyof Sides, JsonItems>, path: string, merging: Merging): ListIds {
  const { known } = merging
  if (known === undefined || isWithinItem(path)) return UNKNOWN
  const idsAt = (side: keyof Sides) => {
    const ids = known[side] && idsOfList(known[side], path, sides[side])
    if (ids && (ids.length !== sides[side].length || new Set(ids).size !== ids.length))
      merging.known = undefined
    return ids ?? null
  }
  const ids = { base: idsAt('base'), mine: idsAt('mine'), theirs: idsAt('theirs') }
  return merging.known === undefined ? UNKNOWN : ids
}

/** The ids of merged items, by their numbers; null: those of a side are unknown. */
function idsOfMerged(
  numbers: readonly number[],
  { formers, order, known }: { formers: readonly number[]; order: SharedItems['order']; known: ListIds },
): readonly string[] | null {
  const { mine, theirs } = known
  if (mine === null) return null
  const mineAt = (number: number) => mine[order.mine.indexOf(number)]
  if (theirs !== null) {
    return numbers.map((number) => theirs[order.theirs.indexOf(number)] ?? mineAt(number) ?? '')
  }
  return numbers.map((number) => {
    const former = formers.indexOf(number)
    return former === -1 ? idOfNew(mineAt(number) ?? '', mine) : String(former)
  })
}

/** The id of an item that replaces one that the other side has removed: the number of the removed one is that of another item now. */
function idOfNew(id: string, taken: readonly string[]): string {
  if (!/^\d+$/.test(id)) return id
  let fresh = `new ${id}`
  while (taken.includes(fresh)) fresh += '+'
  return fresh
}

/** Whether an item is in the merged list before any decision. */
function isInMerge({ base, mine, theirs }: SharedItem): boolean {
  if (base === undefined) return true
  return mine !== undefined && (theirs !== undefined || !isSameJson(base, mine))
}

function mergeItem(item: SharedItem, place: Place, merging: Merging): Merged {
  const { base, mine, theirs, isReplaced, hasOneId } = item
  // Lists within items have no ids.
  const ids = NO_IDS
  if (isSameJson(mine, theirs)) return { value: mine, from: theirs, ids }
  if (mine !== undefined && theirs !== undefined) {
    if (base === undefined ? hasOneId : !isReplaced) return merge(item, place, merging)
    if (isSameJson(base, theirs)) return { value: mine, from: theirs, ids }
    if (isSameJson(base, mine)) return { value: theirs, from: theirs, ids }
  } else {
    // Only one side has it: it is new, or mine has replaced the one that they removed. If theirs replaced the one that I removed, it is a
    // conflict: theirs may respond to my latest input.
    if (base === undefined || (isReplaced && theirs === undefined))
      return { value: mine ?? theirs, from: theirs, ids }
    // The other side has removed an unchanged item.
    if (isSameJson(base, mine ?? theirs)) return { value: undefined, from: theirs, ids }
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
