import { isJsonObject, type JsonObject } from '@troupe/contract'
import { isSameJson } from './json-path.ts'

/** A list of objects, such as tools, rules, members or fallbacks: compared and merged item by item. */
export type JsonItems = readonly JsonObject[]

export function isJsonItems(value: unknown): value is JsonItems {
  return Array.isArray(value) && value.every(isJsonObject)
}

/** The fields that identify an item in the lists of agents, teams and voices. */
const THING = [
  ...['type', 'key', 'slug', 'builtin', 'skill_id', 'server_id', 'agent_id', 'agent', 'workflow_id'],
  ...['llm_config_id', 'model_id', 'provider', 'model'],
]
/** Further fields that distinguish items. They may be edited without making it another item. */
const NAMES = ['name', 'url', 'spec_url', 'prefix', 'pattern', 'question']

const valuesOf = (item: JsonObject, keys: readonly string[]) =>
  JSON.stringify(keys.map((key) => item[key] ?? null))

/** The identity of a list item, whatever its position. */
export const itemIdentity = (item: JsonObject) => valuesOf(item, [...THING, ...NAMES])

/** Whether two items are or name the same thing, whatever their names and addresses. */
export const isSameThing = (one: JsonObject, other: JsonObject) =>
  valuesOf(one, THING) === valuesOf(other, THING)

/** Whether only its kind distinguishes an item from others: a list may have several of these. */
export function isKindOnly(item: JsonObject): boolean {
  return [...THING, ...NAMES].every((key) => key === 'type' || (item[key] ?? null) === null)
}

/** Whether nothing distinguishes an item from others. */
const isNameless = (item: JsonObject) => isKindOnly(item) && (item.type ?? null) === null

/** Indexes of indistinguishable items, in the previous list and in the other one. */
export interface LookAlikes {
  formers: readonly number[]
  places: readonly number[]
}

/** The correspondence between the items of a previous list and those of a list. */
export interface ItemPairs {
  /** The previous index of an item, by its index; an item without one is new, or one of the look-alikes. */
  formerOf: ReadonlyMap<number, number>
  /** Changed items whose correspondence is ambiguous. */
  lookAlikes: readonly LookAlikes[]
}

/** Whether an item is the edited form of an item that is no longer in the list. */
type IsEdited = (former: JsonObject, item: JsonObject) => boolean

/**
 * Pairs the items of two lists: equal ones, then those with the same identity, and then those that `isEdited` recognizes, if the match is
 * unique.
 */
export function itemPairs(before: JsonItems, after: JsonItems, isEdited: IsEdited): ItemPairs {
  const formerOf = new Map<number, number>()
  const [gone, fresh] = [new Set(before.keys()), new Set(after.keys())]
  const pair = (former: number, place: number) => {
    formerOf.set(place, former)
    gone.delete(former)
    fresh.delete(place)
  }
  const pairSame = (fits: (former: number, place: number) => boolean) => {
    for (const place of [...fresh]) {
      const former = [...gone].find((one) => fits(one, place))
      if (former !== undefined) pair(former, place)
    }
  }
  pairSame((former, place) => former === place && isSameJson(before[former], after[place]))
  pairSame((former, place) => isSameJson(before[former], after[place]))
  const goneByIdentity = Map.groupBy(gone, (former) => itemIdentity(before[former] ?? {}))
  const freshByIdentity = Map.groupBy(fresh, (place) => itemIdentity(after[place] ?? {}))
  const lookAlikes: LookAlikes[] = []
  for (const [identity, places] of freshByIdentity) {
    const formers = goneByIdentity.get(identity) ?? []
    const [former, place] = [formers[0], places[0]]
    if (former === undefined || place === undefined) continue
    const isOne = formers.length === 1 && places.length === 1 && !isNameless(after[place] ?? {})
    if (isOne) pair(former, place)
    else lookAlikes.push({ formers, places })
  }
  for (const { formers, places } of lookAlikes) {
    for (const former of formers) gone.delete(former)
    for (const place of places) fresh.delete(place)
  }
  const fits = (former: number, place: number) => isEdited(before[former] ?? {}, after[place] ?? {})
  for (const [former, place] of onlyFits([...gone], [...fresh], fits)) pair(former, place)
  return { formerOf, lookAlikes }
}

/** The unique matches: neither item matches another one. */
export function onlyFits(
  formers: readonly number[],
  places: readonly number[],
  fits: (former: number, place: number) => boolean,
): [former: number, place: number][] {
  const fitting = places.flatMap((place) =>
    formers.filter((former) => fits(former, place)).map((former): [number, number] => [former, place]),
  )
  const timesOf = (side: 0 | 1) => Map.groupBy(fitting, (pair) => pair[side])
  const [byFormer, byPlace] = [timesOf(0), timesOf(1)]
  return fitting.filter(
    ([former, place]) => byFormer.get(former)?.length === 1 && byPlace.get(place)?.length === 1,
  )
}

/**
 * Whether an item is certainly another one under a new name or address: it has the same name, or differs in only one of its names and
 * addresses. A merge applies a colleague's changes to it, so similarity is not enough.
 */
export function isRenamed(former: JsonObject, item: JsonObject): boolean {
  if (!isSameThing(former, item)) return false
  const kept = NAMES.filter((key) => typeof item[key] === 'string' && item[key] === former[key])
  if (kept.includes('name')) return true
  const [changed, ...more] = changedKeys(former, item)
  return kept.length > 0 && changed !== undefined && NAMES.includes(changed) && more.length === 0
}

/** Whether an item is best described as an edit of another one: the same kind, with most fields unchanged. */
export function isAlike(former: JsonObject, item: JsonObject): boolean {
  return isSameJson(former.type, item.type) && isMostlySame(former, item, changedKeys(former, item))
}

/**
 * Whether an item is probably another one under a new name or address, or with another target. It is not certain enough to apply a
 * colleague's changes to it, but enough to ask about both.
 */
export function isReplaced(former: JsonObject, item: JsonObject): boolean {
  if (!isSameJson(former.type, item.type)) return false
  const changed = changedKeys(former, item)
  return isMostlySame(former, item, changed) || changed.every((key) => [...THING, ...NAMES].includes(key))
}

function isMostlySame(former: JsonObject, item: JsonObject, changed: readonly string[]): boolean {
  const keys = new Set([...Object.keys(former), ...Object.keys(item)])
  keys.delete('type')
  return changed.length * 2 < keys.size
}

/** Whether two items of one type have the same name. */
export function isNamesake(one: JsonObject, other: JsonObject): boolean {
  return typeof one.name === 'string' && one.name !== '' && one.name === other.name && one.type === other.type
}

export function changedKeys(former: JsonObject, item: JsonObject): string[] {
  const keys = new Set([...Object.keys(former), ...Object.keys(item)])
  return [...keys].filter((key) => !isSameJson(former[key] ?? null, item[key] ?? null))
}
