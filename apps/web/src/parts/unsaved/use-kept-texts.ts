import type { JsonObject } from '@troupe/contract'
import { useMemo, useRef } from 'react'
import { isSameJson } from '../../core/forms/json-path.ts'
import {
  isKeptTexts,
  itemOf,
  type KeptText,
  type KeptTexts,
  type PlacedText,
  placedTexts,
  textsBeside,
  textsWithout,
} from '../../core/forms/kept-texts.ts'
import { useDraft } from '../../infrastructure/drafts/use-draft.ts'

/** The text of one field that is no JSON yet, where an edit is kept. */
export interface TextKeeper {
  /** null: the text of the field can be read. */
  kept: KeptText | null
  keep(text: KeptText): void
  /** Forgets a text, unless another one is kept there by now. */
  forget(text: string): void
}

/** The texts of an edit that cannot be read yet. They belong to what is unsaved, and outlive a reload like it. */
export interface UnreadTexts {
  list: readonly PlacedText[]
  /** False: the browser keeps nothing. */
  isKept: boolean
  /** @param path of the field below `config` */
  keeper(path: string): TextKeeper
  /** Forgets those of a setting and of all below it. */
  forgetBelow(path: string): void
  discard(): void
}

const NONE: KeptTexts = {}

/** @param key what is edited: `agent/<id>` */
export function useKeptTexts(key: string, config: JsonObject): UnreadTexts {
  const { value, isKept, edit, discard } = useDraft(`unread/${key}`, isKeptTexts)
  const texts = value ?? NONE
  const list = useMemo(() => placedTexts(texts, config), [texts, config])
  // Several changes of one gesture come before the next render.
  const latest = useRef(texts)
  latest.current = texts
  const now = useRef(config)
  now.current = config
  const put = (next: KeptTexts) => {
    if (isSameJson(next, latest.current)) return
    latest.current = next
    if (Object.keys(next).length === 0) discard()
    else edit(next, '')
  }
  const without = (path: string) => textsWithout(latest.current, now.current, path)
  return {
    list,
    isKept,
    keeper: (path) => ({
      kept: list.find((text) => text.path === path) ?? null,
      keep: ({ text, from, label }) =>
        put({ ...without(path), [path]: { text, from, label, item: itemOf(now.current, path) } }),
      forget: (text) => {
        const kept = placedTexts(latest.current, now.current).find((one) => one.path === path)
        if (kept?.text === text) put(without(path))
      },
    }),
    forgetBelow: (path) => put(textsBeside(latest.current, now.current, path)),
    discard: () => put(NONE),
  }
}
