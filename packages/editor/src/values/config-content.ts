import { isJsonObject, type JsonObject } from '@troupe/contract'
import { changedKeys, isAlike, isJsonItems, itemIdentity, itemPairs, type JsonItems } from './item-pairs.ts'
import { isSameJson, valueAt, withValueAt } from './json-path.ts'

/** The editable content of an agent or a team. Paths into it begin with `name`, `description` or `config`. */
export interface ConfigContent {
  name: string
  description: string | null
  config: JsonObject
}

/** The editable part of an agent or a team. */
export function contentOf({ name, description, config }: ConfigContent): ConfigContent {
  return { name, description, config }
}

export function isConfigContent(value: unknown): value is ConfigContent {
  if (!isJsonObject(value)) return false
  const { name, description, config } = value
  return (
    typeof name === 'string' &&
    (description === null || typeof description === 'string') &&
    isJsonObject(config)
  )
}

/** A copy with another value at a path; undefined removes a key. A value that does not fit the path changes nothing. */
export function changedContent(content: ConfigContent, path: string, value: unknown): ConfigContent {
  const changed = withValueAt({ ...content }, path, value)
  return isConfigContent(changed) ? changed : content
}

/** One changed setting; undefined: it is absent on that side. */
export interface SettingChange {
  /** The path afterwards, or the previous path of a removed setting. */
  path: string
  /**
   * Absent: one setting. `added` and `removed`: a whole item of a list. `order`: the order of a list; both sides are the kept items with
   * their previous values.
   */
  kind?: 'added' | 'removed' | 'order'
  before: unknown
  after: unknown
}

/** The changed settings, each with its path. Lists of objects are compared item by item, whatever their order. */
export function changesBetween(before: unknown, after: unknown, path = ''): SettingChange[] {
  if (isSameJson(before, after)) return []
  if (isJsonItems(before) && isJsonItems(after)) return changesOfList(before, after, path)
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...keys].flatMap((key) => changesBetween(own(before, key), own(after, key), pathBelow(path, key)))
  }
  return [{ path, before, after }]
}

function changesOfList(before: JsonItems, after: JsonItems, path: string): SettingChange[] {
  const formerOf = formerPlaces(before, after)
  const kept = [...formerOf].toSorted(([a], [b]) => a - b).map(([, former]) => former)
  const stays = new Set(kept)
  const removed = before.flatMap((item, place): SettingChange[] =>
    stays.has(place)
      ? []
      : [{ path: pathBelow(path, `${place}`), kind: 'removed', before: item, after: undefined }],
  )
  const others = after.flatMap((item, place): SettingChange[] => {
    const former = formerOf.get(place)
    const at = pathBelow(path, `${place}`)
    return former === undefined
      ? [{ path: at, kind: 'added', before: undefined, after: item }]
      : changesBetween(before[former], item, at)
  })
  const inOrder = kept.toSorted((a, b) => a - b)
  const itemsAt = (places: readonly number[]) => places.map((place) => before[place])
  const moved: SettingChange = { path, kind: 'order', before: itemsAt(inOrder), after: itemsAt(kept) }
  return [...removed, ...others, ...(isSameJson(kept, inOrder) ? [] : [moved])]
}

/** Caches compared lists: each field of a form compares the same two. */
const compared = new WeakMap<JsonItems, WeakMap<JsonItems, ReadonlyMap<number, number>>>()

/** The previous index of each item of a list; among similar items, the one with the smallest difference. */
function formerPlaces(before: JsonItems, after: JsonItems): ReadonlyMap<number, number> {
  const known = compared.get(before) ?? new WeakMap<JsonItems, ReadonlyMap<number, number>>()
  compared.set(before, known)
  const places = known.get(after) ?? pairedPlaces(before, after)
  known.set(after, places)
  return places
}

function pairedPlaces(before: JsonItems, after: JsonItems): ReadonlyMap<number, number> {
  const { formerOf } = itemPairs(before, after, isAlike)
  const taken = new Set(formerOf.values())
  const left = Map.groupBy(
    [...before.keys()].filter((place) => !taken.has(place)),
    (place) => itemIdentity(before[place] ?? {}),
  )
  const places = new Map(formerOf)
  for (const [place, item] of after.entries()) {
    const alike = formerOf.has(place) ? [] : (left.get(itemIdentity(item)) ?? [])
    const differences = alike.map((former) => changedKeys(before[former] ?? {}, item).length)
    const [former] = alike.splice(differences.indexOf(Math.min(...differences)), 1)
    if (former !== undefined) places.set(place, former)
  }
  return places
}

/** The previous value of a setting, even if its list item has moved; undefined if there was none. */
export function formerValue(before: unknown, after: unknown, path: string): unknown {
  const [key, ...rest] = path === '' ? [] : path.split('.')
  if (key === undefined) return before
  const below = rest.join('.')
  if (isJsonItems(before) && isJsonItems(after)) {
    const former = formerPlaces(before, after).get(Number(key))
    return former === undefined ? undefined : formerValue(before[former], after[Number(key)], below)
  }
  if (!isJsonObject(before)) return valueAt(before, path)
  return formerValue(own(before, key), isJsonObject(after) ? own(after, key) : undefined, below)
}

const pathBelow = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

export function own(holder: JsonObject, key: string): unknown {
  return Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined
}
