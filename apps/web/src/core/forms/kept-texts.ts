import { isJsonObject, type JsonObject, propertyOf } from '@troupe/contract'
import { formerIndexes } from '@troupe/editor/values/item-ids'
import { itemIdentity } from '@troupe/editor/values/item-pairs'
import { valueAt } from '@troupe/editor/values/json-path'

/** A text of a field that is not JSON yet. */
export interface KeptText {
  text: string
  /** The value that it was made from; absent: there was none. */
  from?: unknown
  /** The words of its field. */
  label: string
}

/** A text with the place of its field. */
export interface PlacedText extends KeptText {
  /** The path of the field below `config`. */
  path: string
  /** The list that has the field's item; absent: the field is in none. */
  items?: readonly unknown[]
  /** In place of `items` in data of an earlier build: an object with the `identity` of the field's item. */
  item?: unknown
  /** True: the item is gone, and with it the field. `path` and `items` are the last ones. */
  isGone?: boolean
}

/** Validates data of an older build. */
export function isPlacedTexts(value: unknown): value is readonly PlacedText[] {
  return Array.isArray(value) && value.every(isPlacedText)
}

function isPlacedText(value: unknown): value is PlacedText {
  if (!isJsonObject(value) || typeof value.path !== 'string') return false
  if (value.items !== undefined && !Array.isArray(value.items)) return false
  return typeof value.text === 'string' && typeof value.label === 'string'
}

/** A text of the field at a path. */
export function placedText({ text, from, label }: KeptText, path: string, config: JsonObject): PlacedText {
  const place = placeInList(path)
  const items = place ? itemsAt(config, place.list) : []
  return { text, from, label, path, ...(isJsonObject(items[place?.index ?? -1]) && { items }) }
}

/**
 * The texts in a configuration that has changed since they were placed: each stays with its item, wherever that is moved and however it is
 * renamed. A text has no field while its item is gone, or has another type.
 */
export function textsIn(texts: readonly PlacedText[], config: JsonObject): readonly PlacedText[] {
  return texts.map((text) => textIn(text, config))
}

function textIn(text: PlacedText, config: JsonObject): PlacedText {
  const place = placeInList(text.path)
  if (place && text.items === undefined && text.item !== undefined) return earlierTextIn(text, place, config)
  const former = text.items?.[place?.index ?? -1]
  if (!place || !text.items || !isJsonObject(former)) return text
  const items = itemsAt(config, place.list)
  const index = formerIndexes(text.items, items).indexOf(place.index)
  const item = items[index]
  const isIt = isJsonObject(item) && item.type === former.type
  // After a removal, another item may be at its place.
  if (!isIt || (text.isGone && itemIdentity(item) !== itemIdentity(former))) return { ...text, isGone: true }
  return placedText(text, `${place.list}.${index}${place.rest}`, config)
}

/** The same for a text of an earlier build. */
function earlierTextIn(text: PlacedText, { list, index, rest }: PlaceInList, config: JsonObject): PlacedText {
  const items = itemsAt(config, list)
  const identity = propertyOf(text.item, 'identity')
  const isIt = (item: unknown) => isJsonObject(item) && itemIdentity(item) === identity
  const found = isIt(items[index]) ? index : items.findIndex(isIt)
  return found === -1 ? { ...text, isGone: true } : placedText(text, `${list}.${found}${rest}`, config)
}

/** A key that no other text of a form has. */
export function textKey({ path, text, items, isGone }: PlacedText): string {
  return `${path} ${text} ${isGone ? JSON.stringify(items) : ''}`
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

function itemsAt(config: JsonObject, list: string): readonly unknown[] {
  const items = valueAt(config, list)
  return Array.isArray(items) ? items : []
}
