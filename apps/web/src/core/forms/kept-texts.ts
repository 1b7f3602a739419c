import { isJsonObject, type JsonObject } from '@troupe/contract'
import { valueAt } from './json-path.ts'

/** A text of a field that is no JSON yet. */
export interface KeptText {
  text: string
  /** The value that it was made from; absent: there was none. */
  from?: unknown
  /** The words of its field. */
  label: string
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

/** The texts with another one at a path; null: without. */
export function withKeptText(texts: KeptTexts, path: string, text: KeptText | null): KeptTexts {
  const { [path]: _, ...others } = texts
  return text === null ? others : { ...others, [path]: text }
}

/** The texts of other settings than the one at a path, and none below it. */
export function textsBeside(texts: KeptTexts, path: string): KeptTexts {
  const isBelow = (key: string) => key === path || key.startsWith(`${path}.`)
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !isBelow(key)))
}

/** Those whose place is still there: not one of a list whose item was removed. */
export function placedTexts(texts: KeptTexts, config: JsonObject): PlacedText[] {
  return Object.entries(texts)
    .filter(([path]) => hasItemsOf(config, path))
    .map(([path, text]) => ({ ...text, path }))
}

function hasItemsOf(config: JsonObject, path: string): boolean {
  const keys = path.split('.')
  return keys.every(
    (key, index) => !/^\d+$/.test(key) || valueAt(config, keys.slice(0, index + 1).join('.')) !== undefined,
  )
}
