import { isJsonObject, type JsonObject } from '@troupe/contract'
import { itemIdentity } from '@troupe/editor/values/item-pairs'
import { isSameJson, valueAt } from '@troupe/editor/values/json-path'
import { keyedItems, NO_ITEMS } from './item-keys.ts'

/** A text of a field that is no JSON yet. */
export interface KeptText {
  text: string
  /** The value that it was made from; absent: there was none. */
  from?: unknown
  /** The words of its field. */
  label: string
}

/** A text with the place of its field. */
export interface PlacedText extends KeptText {
  /** Of the field, below `config`. */
  path: string
  /** The item of a list that the field is in; absent: it is in none. */
  item?: TextItem
  /** True: the item is gone, and with it the field. */
  isGone?: boolean
}

/** The identity of a list item, after the list was changed elsewhere: in another tab, or by a colleague. */
interface TextItem {
  identity: string
  /** Its kind: it stays when the item is renamed. */
  type?: unknown
  /** The identities of the other items of its list; absent in data of an older build. */
  others?: readonly string[]
}

/** Validates data of an older build. */
export function isPlacedTexts(value: unknown): value is readonly PlacedText[] {
  return Array.isArray(value) && value.every(isPlacedText)
}

function isPlacedText(value: unknown): value is PlacedText {
  if (!isJsonObject(value) || typeof value.path !== 'string') return false
  return typeof value.text === 'string' && typeof value.label === 'string'
}

/** A text of the field at a path. */
export function placedText({ text, from, label }: KeptText, path: string, config: JsonObject): PlacedText {
  const item = itemAt(config, path)
  return { text, from, label, path, ...(item && { item }) }
}

/**
 * Stored texts in a configuration that may have changed since, each at the current place of its item. A text whose item is not
 * found keeps its place if the item was renamed: it is the only new one in the list, and only this text's item is missing. Else the
 * item is gone.
 */
export function textsFound(texts: readonly PlacedText[], config: JsonObject): readonly PlacedText[] {
  return texts.map((text) => foundText(text, config))
}

function foundText(text: PlacedText, config: JsonObject): PlacedText {
  const place = placeInList(text.path)
  if (!place || !text.item) return text
  const { identity, type, others } = text.item
  const items = itemsAt(config, place.list)
  const isIt = (index: number) => identityOf(items[index]) === identity
  const index = isIt(place.index) ? place.index : items.findIndex((_, index) => isIt(index))
  if (index !== -1) return textAt(text, place, index, config)
  const item = items[place.index]
  const isAlone = isJsonObject(item) && item.type === type && isSameJson(others, othersOf(items, place.index))
  return isAlone && !text.isGone ? textAt(text, place, place.index, config) : { ...text, isGone: true }
}

/** The texts after one change of the configuration: each stays with its item, wherever that is moved and however it is renamed. */
export function textsAfter(
  texts: readonly PlacedText[],
  before: JsonObject,
  config: JsonObject,
): readonly PlacedText[] {
  return texts.map((text) => {
    const place = placeInList(text.path)
    if (!place || !text.item) return text
    if (text.isGone) return foundText(text, config)
    const former = keyedItems(NO_ITEMS, itemsAt(before, place.list))
    const index = keyedItems(former, itemsAt(config, place.list)).keys.indexOf(former.keys[place.index] ?? -1)
    const item = itemsAt(config, place.list)[index]
    // An item with a new type has other fields.
    const isSameType = isJsonObject(item) && item.type === text.item.type
    return isSameType ? textAt(text, place, index, config) : { ...text, isGone: true }
  })
}

/** The texts without those of a setting and of all below it. */
export function textsBeside(texts: readonly PlacedText[], path: string): readonly PlacedText[] {
  return texts.filter((text) => text.isGone || (text.path !== path && !text.path.startsWith(`${path}.`)))
}

/** The text of the field at a path; undefined: none. */
export function textOfField(texts: readonly PlacedText[], path: string): PlacedText | undefined {
  return texts.find((text) => text.path === path && !text.isGone)
}

interface PlaceInList {
  list: string
  index: number
  /** The path below the item: `.input_schema`. */
  rest: string
}

function placeInList(path: string): PlaceInList | null {
  const [, list, index, rest = ''] = /^(.*?)\.(\d+)(\..*)?$/.exec(path) ?? []
  return list === undefined ? null : { list, index: Number(index), rest }
}

function textAt(
  text: PlacedText,
  { list, rest }: PlaceInList,
  index: number,
  config: JsonObject,
): PlacedText {
  return placedText(text, `${list}.${index}${rest}`, config)
}

function itemAt(config: JsonObject, path: string): TextItem | null {
  const place = placeInList(path)
  if (!place) return null
  const items = itemsAt(config, place.list)
  const item = items[place.index]
  if (!isJsonObject(item)) return null
  const identity = itemIdentity(item)
  return {
    identity,
    ...(item.type !== undefined && { type: item.type }),
    others: othersOf(items, place.index),
  }
}

function itemsAt(config: JsonObject, list: string): readonly unknown[] {
  const items = valueAt(config, list)
  return Array.isArray(items) ? items : []
}

function othersOf(items: readonly unknown[], index: number): string[] {
  return items
    .toSpliced(index, 1)
    .map((item) => identityOf(item) ?? '')
    .toSorted()
}

function identityOf(item: unknown): string | null {
  return isJsonObject(item) ? itemIdentity(item) : null
}
