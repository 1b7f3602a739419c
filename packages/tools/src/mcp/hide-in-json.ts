import { isJsonObject } from '@troupe/contract'
import type { HideTexts } from '../credentials/text-hider.ts'

/** A copy of a JSON value of limited depth with `hide` applied to its texts and keys. */
export function hideInJson(value: unknown, hide: HideTexts): unknown {
  if (typeof value === 'string') return hide(value)
  if (Array.isArray(value)) return value.map((inner) => hideInJson(inner, hide))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [hide(key), hideInJson(inner, hide)]))
}
