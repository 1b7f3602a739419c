import { isJsonObject } from '@troupe/contract'
import { itemIdentity } from '@troupe/editor/values/item-pairs'
import { isSameJson } from '@troupe/editor/values/json-path'

/** The items of a list, each with a key that stays with it. */
export interface KeyedItems {
  items: readonly unknown[]
  keys: readonly number[]
  /** The key of the next new item. */
  next: number
}

export const NO_ITEMS: KeyedItems = { items: [], keys: [], next: 0 }

/**
 * The keys of a changed list: an item keeps its key wherever it is moved, however the list was changed. If a single one is new, at
 * the place of the single one that is gone, it was edited there, also into one of another type.
 */
export function keyedItems(before: KeyedItems, items: readonly unknown[]): KeyedItems {
  if (items === before.items) return before
  const free = new Set(before.keys.keys())
  const keys = new Map<number, number>()
  const claim = (fits: (item: unknown, index: number, former: number) => boolean) => {
    items.forEach((item, index) => {
      if (keys.has(index)) return
      const former = [...free].find((place) => fits(item, index, place))
      const key = former === undefined ? undefined : before.keys[former]
      if (former === undefined || key === undefined) return
      keys.set(index, key)
      free.delete(former)
    })
  }
  claim((item, _, former) => typeof item === 'object' && item === before.items[former])
  claim((item, index, former) => index === former && isSameJson(item, before.items[former]))
  claim((item, _, former) => isSameJson(item, before.items[former]))
  // A colleague may have put another item in front of one that was edited.
  const [named, namedBefore] = [namedOnce(items), namedOnce(before.items)]
  claim((_, index, former) => named[index] !== null && named[index] === namedBefore[former])
  const isOneLeft = free.size === 1 && items.length === before.items.length
  if (isOneLeft) claim((_, index, former) => index === former)
  let { next } = before
  const all = items.map((_, index) => {
    const key = keys.get(index)
    if (key !== undefined) return key
    next += 1
    return next - 1
  })
  return { items, keys: all, next }
}

/** The identity of each item; null if nothing distinguishes it from another one. */
function namedOnce(items: readonly unknown[]): (string | null)[] {
  const names = items.map((item) => (isJsonObject(item) ? itemIdentity(item) : null))
  return names.map((name) => (names.filter((other) => other === name).length === 1 ? name : null))
}
