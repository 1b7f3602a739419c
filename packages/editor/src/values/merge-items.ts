import type { JsonObject } from '@troupe/contract'
import {
  type ItemPairs,
  isKindOnly,
  isNamesake,
  isRenamed,
  isReplaced,
  isSameThing,
  itemPairs,
  type JsonItems,
  onlyFits,
} from './item-pairs.ts'
import { isSameJson } from './json-path.ts'

/** One item of a list on each side; undefined: absent on that side. */
export interface SharedItem {
  base: JsonObject | undefined
  mine: JsonObject | undefined
  theirs: JsonObject | undefined
  /** Whether one side has probably renamed or replaced it, so that it must not be merged field by field. */
  isReplaced: boolean
  /** Whether both sides have it with one id, so that it is merged field by field although `base` does not have it. */
  hasOneId: boolean
}

type Side = 'base' | 'mine' | 'theirs'

/** Two users' versions of a list. Each item has a number, which is the same on every side. */
export interface SharedItems {
  items: ReadonlyMap<number, SharedItem>
  /** The items of each side, in order. */
  order: Readonly<Record<Side, readonly number[]>>
}

/** The previous index of each item of a list, by its index. */
type FormerPlaces = ReadonlyMap<number, number>

/** The ids of the items of each side of a list; null: they are unknown. */
export type ListIds = Readonly<Record<Side, readonly string[] | null>>

/**
 * The items of three versions of a list; null: items are similar, so the correspondence is ambiguous. Sides with ids are paired by them, other
 * ones by the values of their items.
 */
export function sharedItems(sides: Record<Side, JsonItems>, ids: ListIds): SharedItems | null {
  const { base, mine, theirs } = sides
  const [hereById, thereById] = [pairsById(ids.base, ids.mine), pairsById(ids.base, ids.theirs)]
  const here = hereById ?? itemPairs(base, mine, isRenamed)
  const there = thereById ?? itemPairs(base, theirs, isRenamed)
  const mySame = withLookAlikes(here, there, base, theirs)
  const theirSame = withLookAlikes(there, here, base, mine)
  if (mySame === null || theirSame === null) return null
  const byId = pairsById(ids.theirs, ids.mine)?.formerOf ?? new Map<number, number>()
  const addedAlike = addedByBoth(sides, ids, mySame, theirSame)
  const myReplaced = hereById
    ? otherThings(base, mine, mySame)
    : replacedIn(base, mine, mySame, new Set(addedAlike.keys()))
  const theirReplaced = thereById
    ? otherThings(base, theirs, theirSame)
    : replacedIn(base, theirs, theirSame, new Set(addedAlike.values()))
  const theirNumbers = theirs.map(
    (_, place) => theirSame.get(place) ?? theirReplaced.get(place) ?? base.length + place,
  )
  const myNumbers = mine.map((_, place) => {
    const other = addedAlike.get(place)
    const shared = other === undefined ? (mySame.get(place) ?? myReplaced.get(place)) : theirNumbers[other]
    return shared ?? base.length + theirs.length + place
  })
  const order = { base: [...base.keys()], mine: myNumbers, theirs: theirNumbers }
  const replaced = new Set([...myReplaced.values(), ...theirReplaced.values()])
  const numbers = new Set([...order.base, ...order.theirs, ...order.mine])
  const items = new Map(
    [...numbers].map((number): [number, SharedItem] => {
      const place = myNumbers.indexOf(number)
      const [own, other] = [mine[place], theirs[theirNumbers.indexOf(number)]]
      const hasOneId = own !== undefined && other !== undefined && byId.has(place) && isSameThing(own, other)
      const isReplaced = replaced.has(number)
      return [number, { base: base[number], mine: own, theirs: other, isReplaced, hasOneId }]
    }),
  )
  return { items, order }
}

/** The pairs of one side by id; null: the ids of a side are unknown. */
function pairsById(base: readonly string[] | null, ids: readonly string[] | null): ItemPairs | null {
  if (base === null || ids === null) return null
  const formerOf = new Map([...ids.entries()].map(([place, id]) => [place, base.indexOf(id)] as const))
  return { formerOf: new Map([...formerOf].filter(([, former]) => former !== -1)), lookAlikes: [] }
}

/**
 * Items that became something else, such as a rule of another kind: merging their settings with the previous ones would
 * be meaningless.
 */
function otherThings(base: JsonItems, items: JsonItems, formerOf: FormerPlaces): FormerPlaces {
  return new Map(
    [...formerOf].filter(([place, former]) => !isSameThing(base[former] ?? {}, items[place] ?? {})),
  )
}

/**
 * The pairs of one side, with its look-alikes in order; null: the other side has changed or moved some of them, so a wrong pair would apply
 * a change to the wrong item.
 */
function withLookAlikes(
  { formerOf, lookAlikes }: ItemPairs,
  other: ItemPairs,
  base: JsonItems,
  otherItems: JsonItems,
): FormerPlaces | null {
  const otherPlaces = new Map([...other.formerOf].map(([place, former]) => [former, place]))
  const isUntouched = (formers: readonly number[]) => {
    const places = formers.map((former) => otherPlaces.get(former) ?? -1)
    const areSame = formers.every((former, index) =>
      isSameJson(base[former], otherItems[places[index] ?? -1]),
    )
    return (
      areSame &&
      isSameJson(
        places,
        places.toSorted((a, b) => a - b),
      )
    )
  }
  if (!lookAlikes.every(({ formers }) => isUntouched(formers))) return null
  const inOrder = lookAlikes.flatMap(({ formers, places }) =>
    places.flatMap((place, index): [number, number][] => {
      const former = formers[index]
      return former === undefined ? [] : [[place, former]]
    }),
  )
  return new Map([...formerOf, ...inOrder])
}

/**
 * The items of one side that have probably replaced a removed one, with its previous index: one of both neighbours is unchanged.
 *
 * @param added the indexes of items that the other side has added, too
 */
function replacedIn(
  base: JsonItems,
  items: JsonItems,
  formerOf: FormerPlaces,
  added: ReadonlySet<number>,
): FormerPlaces {
  const kept = new Set(formerOf.values())
  const gone = [...base.keys()].filter((former) => !kept.has(former))
  const fresh = [...items.keys()].filter((place) => !formerOf.has(place) && !added.has(place))
  const keptInBase = base.map((_, former) => (kept.has(former) ? former : undefined))
  const keptInItems = items.map((_, place) => formerOf.get(place))
  const isBetween = (former: number, place: number) => {
    const [before, after] = neighbours(keptInBase, former)
    const [beforeItem, afterItem] = neighbours(keptInItems, place)
    return before === beforeItem || after === afterItem
  }
  const fits = (former: number, place: number) =>
    isBetween(former, place) && isReplaced(base[former] ?? {}, items[place] ?? {})
  return new Map(onlyFits(gone, fresh, fits).map(([former, place]) => [place, former]))
}

/** The nearest kept items before and after an index; undefined if there are none. */
function neighbours(kept: readonly (number | undefined)[], place: number): (number | undefined)[] {
  const isKept = (former: number | undefined) => former !== undefined
  return [kept.slice(0, place).findLast(isKept), kept.slice(place + 1).find(isKept)]
}

/**
 * The index in `theirs` of items that both sides have added, by their index in `mine`: of the same id, else of the same name. Two rules that differ only in kind, and
 * two items with different ids, are separate items, unless they are equal.
 */
function addedByBoth(
  { mine, theirs }: Record<Side, JsonItems>,
  ids: ListIds,
  myFormers: FormerPlaces,
  theirFormers: FormerPlaces,
): ReadonlyMap<number, number> {
  const pairedById = pairsById(ids.theirs, ids.mine)
  const byId: FormerPlaces = pairedById?.formerOf ?? new Map()
  const known = new Set(byId.values())
  const added = (list: JsonItems, isKnown: (place: number) => boolean) =>
    [...list.entries()].filter(([place]) => !isKnown(place))
  const myOwn = added(mine, (place) => myFormers.has(place) || byId.has(place))
  const theirOwn = added(theirs, (place) => theirFormers.has(place) || known.has(place))
  const itemsOf = (entries: typeof myOwn) => entries.map(([, item]) => item)
  const { formerOf } = itemPairs(itemsOf(theirOwn), itemsOf(myOwn), isNamesake)
  const newById = [...byId].filter(([place]) => !myFormers.has(place))
  return new Map([
    ...newById,
    ...[...formerOf].flatMap(([at, otherAt]): [number, number][] => {
      const [own, other] = [myOwn[at], theirOwn[otherAt]]
      if (!own || !other) return []
      const areSeparate = pairedById !== null || isKindOnly(own[1])
      if (areSeparate && !isSameJson(own[1], other[1])) return []
      return [[own[0], other[0]]]
    }),
  ])
}

/** The side that reordered the items kept by both; `both`: each has a different order, `mine` also if both chose the same one. */
export function movedBy({ items, order }: SharedItems): 'nobody' | 'mine' | 'theirs' | 'both' {
  const isKept = (number: number) => {
    const item = items.get(number)
    return (
      item?.base !== undefined && item.mine !== undefined && item.theirs !== undefined && !item.isReplaced
    )
  }
  const [base, mine, theirs] = [order.base, order.mine, order.theirs].map((side) => side.filter(isKept))
  const [haveIMoved, haveTheyMoved] = [!isSameJson(base, mine), !isSameJson(base, theirs)]
  if (haveIMoved && haveTheyMoved) return isSameJson(mine, theirs) ? 'mine' : 'both'
  if (haveIMoved) return 'mine'
  return haveTheyMoved ? 'theirs' : 'nobody'
}

/** The kept items in the order of one side; each item that only the other side has follows its predecessor there. */
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
