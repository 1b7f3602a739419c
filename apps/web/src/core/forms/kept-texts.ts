import { isJsonObject, type JsonObject } from '@troupe/contract'
import { valueAt } from './json-path.ts'
import { itemIdentity } from './merge-contents.ts'

/** A text of a field that is no JSON yet. */
export interface KeptText {
  text: string
  /** The value that it was made from; absent: there was none. */
  from?: unknown
  /** The words of its field. */
  label: string
  /** Which item of a list its field is in; absent: it is in none. */
  item?: string | undefined
}

/** Such texts of one edited thing, by the path of their field below `config`. */
export type KeptTexts = Readonly<Record<string, KeptText>>

/** A text with the path of its field. */
export interface PlacedText extends KeptText {
  path: string
}

export function isKeptTexts(value: unknown): value is KeptTexts {
  return isJsonObject(value) && Object.values(value).every(isKeptText)
}

function isKeptText(value: unknown): value is KeptText {
  return isJsonObject(value) && typeof value.text === 'string' && typeof value.label === 'string'
}

/** The texts of other settings than the one at a path, and none below it. */
export function textsBeside(texts: KeptTexts, config: JsonObject, path: string): KeptTexts {
  const isBelow = (place: string) => place === path || place.startsWith(`${path}.`)
  return Object.fromEntries(
    Object.entries(texts).filter(([key, { item }]) => !isBelow(placeNow(config, key, item))),
  )
}

/** Those whose place is still there, each where its item stands now: not one of a list whose item was removed. */
export function placedTexts(texts: KeptTexts, config: JsonObject): PlacedText[] {
  return Object.entries(texts)
    .map(([path, text]) => ({ ...text, path: placeNow(config, path, text.item) }))
    .filter(({ path }) => hasItemsOf(config, path))
}

/** A path into an item of a list: the list, the place, and what is below it. */
const IN_LIST = /^(.*?)\.(\d+)(\..*)?$/

/** Which item of a list a path leads into; undefined: it leads into none. */
export function itemOf(config: JsonObject, path: string): string | undefined {
  const [, list, place] = IN_LIST.exec(path) ?? []
  return list === undefined ? undefined : identityOfItem(valueAt(config, `${list}.${place}`))
}

/** The path of a text whose item was moved since. One whose item is another one by now, as after a new name, keeps its place. */
function placeNow(config: JsonObject, path: string, item: string | undefined): string {
  if (item === undefined || itemOf(config, path) === item) return path
  const [, list = '', , rest = ''] = IN_LIST.exec(path) ?? []
  const items = valueAt(config, list)
  const index = Array.isArray(items) ? items.findIndex((one) => identityOfItem(one) === item) : -1
  return index === -1 ? path : `${list}.${index}${rest}`
}

function identityOfItem(item: unknown): string | undefined {
  return isJsonObject(item) ? itemIdentity(item) : undefined
}

/** The texts without that of the field that stands at a path now. */
export function textsWithout(texts: KeptTexts, config: JsonObject, path: string): KeptTexts {
  return Object.fromEntries(
    Object.entries(texts).filter(([key, { item }]) => placeNow(config, key, item) !== path),
  )
}

function hasItemsOf(config: JsonObject, path: string): boolean {
  const keys = path.split('.')
  return keys.every(
    (key, index) => !/^\d+$/.test(key) || valueAt(config, keys.slice(0, index + 1).join('.')) !== undefined,
  )
}
