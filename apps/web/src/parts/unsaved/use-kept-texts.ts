import type { JsonObject } from '@troupe/contract'
import { useMemo, useRef } from 'react'
import { isSameJson } from '../../core/forms/json-path.ts'
import {
  isKeptTexts,
  type KeptText,
  type KeptTexts,
  type PlacedText,
  placedTexts,
  textsBeside,
  withKeptText,
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
  /** @param path of the field below `config` */
  keeper(path: string): TextKeeper
  /** Forgets those of a setting and of all below it. */
  forgetBelow(path: string): void
  discard(): void
}

const NONE: KeptTexts = {}

/** @param key what is edited: `agent/<id>` */
export function useKeptTexts(key: string, config: JsonObject): UnreadTexts {
  const { value, edit, discard } = useDraft(`unread/${key}`, isKeptTexts)
  const texts = value ?? NONE
  const list = useMemo(() => placedTexts(texts, config), [texts, config])
  // Several changes of one gesture come before the next render.
  const latest = useRef(texts)
  latest.current = texts
  const put = (next: KeptTexts) => {
    if (isSameJson(next, latest.current)) return
    latest.current = next
    if (Object.keys(next).length === 0) discard()
    else edit(next, '')
  }
  return {
    list,
    keeper: (path) => ({
      kept: texts[path] ?? null,
      keep: (text) => put(withKeptText(latest.current, path, text)),
      forget: (text) => {
        if (latest.current[path]?.text === text) put(withKeptText(latest.current, path, null))
      },
    }),
    forgetBelow: (path) => put(textsBeside(latest.current, path)),
    discard: () => put(NONE),
  }
}
