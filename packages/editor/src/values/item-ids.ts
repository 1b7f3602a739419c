import { isJsonObject } from '@troupe/contract'
import { isJsonItems, itemIdentity } from './item-pairs.ts'
import { isSameJson } from './json-path.ts'

/** The items of a list, each with an id that stays with it. */
export interface IdentifiedItems {
  items: readonly unknown[]
  ids: readonly string[]
}

/**
 * The previous index of each item after one edit of its list, or after a save by somebody else; undefined: a new item. An item is found wherever
 * it was moved: first the same object, then equal values, then the same name, of a single item or at the same place. If a single item is new, at the place
 * of the single one that is gone, it was edited there, also into one of another type.
 */
export function formerIndexes(before: readonly unknown[], after: readonly unknown[]): (number | undefined)[] {
  const free = new Set(before.keys())
  const found: (number | undefined)[] = after.map(() => undefined)
  const claim = (fits: (item: unknown, index: number, former: number) => boolean) => {
    for (const [index, item] of after.entries()) {
      if (found[index] !== undefined) continue
      const former = [...free].find((place) => fits(item, index, place))
      if (former === undefined) continue
      found[index] = former
      free.delete(former)
    }
  }
  claim((item, _, former) => typeof item === 'object' && item === before[former])
  claim((item, index, former) => index === former && isSameJson(item, before[former]))
  claim((item, _, former) => isSameJson(item, before[former]))
  // A colleague may have put another item in front of one that was edited.
  const [names, namesBefore] = [namesOf(after), namesOf(before)]
  const [named, namedBefore] = [namedOnce(names), namedOnce(namesBefore)]
  claim((_, index, former) => named[index] !== null && named[index] === namedBefore[former])
  claim(
    (_, index, former) => index === former && names[index] !== null && names[index] === namesBefore[former],
  )
  if (free.size === 1 && after.length === before.length) claim((_, index, former) => index === former)
  return found
}

/** The same items after a change of their list: new ones have an id of `newId`. */
export function identifiedAfter(
  before: IdentifiedItems,
  items: readonly unknown[],
  newId: () => string,
): IdentifiedItems {
  if (items === before.items) return before
  const ids = formerIndexes(before.items, items).map(
    (former) => (former === undefined ? undefined : before.ids[former]) ?? newId(),
  )
  return { items, ids }
}

/**
 * The ids of the items of lists in an edited content, by the path of the list: `config.tools`. A number is the index of
 * the item in the content before the edit; other ids are of new items. A list without an entry still has its previous
 * items in their order. Lists within items have no ids.
 */
export type ItemIds = Readonly<Record<string, readonly string[]>>

export function isItemIds(value: unknown): value is ItemIds {
  const isIds = (ids: unknown) => Array.isArray(ids) && ids.every((id) => typeof id === 'string')
  return isJsonObject(value) && Object.values(value).every(isIds)
}

/** The ids of one list. */
export function idsOfList(ids: ItemIds, path: string, items: readonly unknown[]): readonly string[] {
  return ids[path] ?? items.map((_, index) => String(index))
}

/** The ids of the lists at a path and below it. */
export function idsBelow(ids: ItemIds, path: string): ItemIds {
  if (path === '') return ids
  const isBelow = (list: string) => list === path || list.startsWith(`${path}.`)
  return Object.fromEntries(Object.entries(ids).filter(([list]) => isBelow(list)))
}

/** Whether a path leads into an item of a list. */
export const isWithinItem = (path: string): boolean => /\.\d+(\.|$)/.test(path)

/** The ids after a change of an edited content. New items have an id of `newId`. */
export function idsAfterChange(
  ids: ItemIds,
  before: unknown,
  after: unknown,
  newId: () => string,
  path = '',
): ItemIds {
  if (before === after) return idsBelow(ids, path)
  if (isJsonItems(after)) {
    const items = isJsonItems(before) ? before : []
    const known = { items, ids: idsOfList(ids, path, items) }
    return { [path]: identifiedAfter(known, after, newId).ids }
  }
  if (!isJsonObject(after)) return {}
  const parts = Object.keys(after).map((key) => {
    const former = isJsonObject(before) && Object.hasOwn(before, key) ? before[key] : undefined
    return idsAfterChange(ids, former, after[key], newId, path === '' ? key : `${path}.${key}`)
  })
  return Object.assign({}, ...parts)
}

/** The identity of each item; null for a value that is not an object. */
function namesOf(items: readonly unknown[]): (string | null)[] {
  return items.map((item) => (isJsonObject(item) ? itemIdentity(item) : null))
}

/** The names, with null for each name that occurs more than once. */
function namedOnce(names: readonly (string | null)[]): (string | null)[] {
  return names.map((name) => (names.filter((other) => other === name).length === 1 ? name : null))
}
