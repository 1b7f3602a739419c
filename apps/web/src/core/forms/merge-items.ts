import type { JsonObject } from '@troupe/contract'
import { type ItemPairs, isKindOnly, isRenamed, itemPairs, type JsonItems } from './item-pairs.ts'
import { isSameJson } from './json-path.ts'

/** One item of a list as each side has it; undefined: that side has not got it. */
export interface SharedItem {
  base: JsonObject | undefined
  mine: JsonObject | undefined
  theirs: JsonObject | undefined
}

type Side = keyof SharedItem

/** What two people have made of a list. Each item has a number, which is the same on every side. */
export interface SharedItems {
  items: ReadonlyMap<number, SharedItem>
  /** The items of each side, in its order. */
  order: Readonly<Record<Side, readonly number[]>>
}

/** The items of three versions of a list; null: items look alike, so it is not known which is which. */
export function sharedItems({ base, mine, theirs }: Record<Side, JsonItems>): SharedItems | null {
  const [here, there] = [itemPairs(base, mine, isRenamed), itemPairs(base, theirs, isRenamed)]
  if (!here.isSure || !there.isSure) return null
  const theirNumbers = theirs.map((_, place) => there.formerOf.get(place) ?? base.length + place)
  const addedAlike = addedByBoth(mine, theirs, here, there)
  const myNumbers = mine.map((_, place) => {
    const other = addedAlike.get(place)
    const shared = other === undefined ? here.formerOf.get(place) : theirNumbers[other]
    return shared ?? base.length + theirs.length + place
  })
  const order = { base: [...base.keys()], mine: myNumbers, theirs: theirNumbers }
  const numbers = new Set([...order.base, ...order.theirs, ...order.mine])
  const items = new Map(
    [...numbers].map((number): [number, SharedItem] => [
      number,
      {
        base: base[number],
        mine: mine[myNumbers.indexOf(number)],
        theirs: theirs[theirNumbers.indexOf(number)],
      },
    ]),
  )
  return { items, order }
}

/**
 * The place in `theirs` of what both sides have added, by its place in `mine`. Two rules of a kind that nothing else tells
 * apart are two rules, unless they say the same.
 */
function addedByBoth(
  mine: JsonItems,
  theirs: JsonItems,
  here: ItemPairs,
  there: ItemPairs,
): ReadonlyMap<number, number> {
  const added = (list: JsonItems, { formerOf }: ItemPairs) =>
    [...list.entries()].filter(([place]) => !formerOf.has(place))
  const [myOwn, theirOwn] = [added(mine, here), added(theirs, there)]
  const itemsOf = (entries: typeof myOwn) => entries.map(([, item]) => item)
  const { formerOf } = itemPairs(itemsOf(theirOwn), itemsOf(myOwn), () => false)
  return new Map(
    [...formerOf].flatMap(([at, otherAt]): [number, number][] => {
      const [own, other] = [myOwn[at], theirOwn[otherAt]]
      if (!own || !other || (isKindOnly(own[1]) && !isSameJson(own[1], other[1]))) return []
      return [[own[0], other[0]]]
    }),
  )
}

/** Who has put the items that both sides have kept into another order; `both`: each into an order of its own. */
export function movedBy({ items, order }: SharedItems): 'nobody' | 'mine' | 'theirs' | 'both' {
  const isKept = (number: number) => {
    const item = items.get(number)
    return item?.base !== undefined && item.mine !== undefined && item.theirs !== undefined
  }
  const [base, mine, theirs] = [order.base, order.mine, order.theirs].map((side) => side.filter(isKept))
  if (isSameJson(mine, theirs) || isSameJson(base, theirs)) return isSameJson(base, mine) ? 'nobody' : 'mine'
  return isSameJson(base, mine) ? 'theirs' : 'both'
}

/** The kept items in the order of one side; each of the other side's own stands behind what is before it there. */
export function arranged(
  leader: readonly number[],
  follower: readonly number[],
  isKept: (number: number) => boolean,
): number[] {
  const result = leader.filter(isKept)
  let behind = -1
  for (const number of follower.filter(isKept)) {
    const place = result.indexOf(number)
    if (place === -1) result.splice(behind + 1, 0, number)
    behind = place === -1 ? behind + 1 : place
  }
  return result
}
