import type { JsonObject } from '@troupe/contract'
import { isSameJson } from '@troupe/editor/values/json-path'
import { useEffect, useRef } from 'react'
import {
  isPlacedTexts,
  type KeptText,
  type PlacedText,
  placedText,
  textOfField,
  textsBeside,
  textsIn,
} from '../../core/forms/kept-texts.ts'
import { useDraft, usePutBack } from '../../infrastructure/drafts/use-draft.ts'
import { useIsOpen } from '../../infrastructure/drafts/use-is-open.ts'

/** The stored unparsable JSON text of one field. */
export interface TextKeeper {
  /** null: the text of the field is valid. */
  kept: KeptText | null
  keep(text: KeptText): void
  /** Deletes a text, unless another one is stored by now. */
  forget(text: string): void
}

/** The unparsable texts of an edit. They are part of the unsaved state, and survive a reload like it. */
export interface UnreadTexts {
  list: readonly PlacedText[]
  /** False: the browser stores nothing. */
  isKept: boolean
  /** @param path of the field below `config` */
  keeper(path: string): TextKeeper
  /** Deletes one of the list; returns a function that restores it. */
  drop(text: PlacedText): () => void
  /** Deletes those of a setting and of everything below it. */
  forgetBelow(path: string): void
  /** Discards all; returns a function that restores them. */
  discard(): () => void
}

/** The edit that the texts belong to. */
export interface EditOfTexts {
  /** The edited resource: `agent/<id>`. */
  key: string
  /** The configuration in the form. */
  config: JsonObject
  /** Until the edit was read from the storage, its items are unknown. */
  isLoading: boolean
  /** Whether the edit was typed in this tab, which then tracks the paths of its texts. */
  isOwn: boolean
}

const NONE: readonly PlacedText[] = []

export function useKeptTexts(edited: EditOfTexts): UnreadTexts {
  const { key, config, isLoading, isOwn } = edited
  const stored = useDraft(`unread/${key}`, isPlacedTexts)
  const putBack = usePutBack()
  const isOpen = useIsOpen()
  const held = useRef<HeldTexts | null>(null)
  held.current = isLoading ? null : heldTexts(held.current, stored.value ?? NONE, config)
  const list = held.current?.texts ?? NONE
  const put = (texts: readonly PlacedText[]) => {
    if (!held.current || isSameJson(texts, held.current.texts)) return
    // Several changes of one gesture come before the next render.
    held.current = { stored: texts, texts, config: held.current.config }
    write(texts)
  }
  const write = (texts: readonly PlacedText[]) => {
    if (texts.length === 0) stored.discard()
    else stored.edit(texts, '')
  }
  useEffect(() => {
    // The items were moved or renamed in this tab: after a reload, the texts are matched with their current paths.
    if (isOwn && stored.value !== null && !isSameJson(list, stored.value)) write(list)
  })
  const texts = () => held.current?.texts ?? NONE
  const without = (text: PlacedText | undefined) => texts().filter((one) => one !== text)
  const bringBack = (given: readonly PlacedText[]) => {
    if (given.length === 0) return
    if (isOpen.current) put([...texts(), ...textsIn(given, held.current?.config ?? config)])
    // The page was closed: if it is open again, its texts are newer.
    else void putBack(`unread/${key}`, given, '')()
  }
  return {
    list,
    isKept: stored.isKept || list.length === 0,
    keeper: (path) => ({
      kept: textOfField(list, path) ?? null,
      keep: (text) =>
        put([...without(textOfField(texts(), path)), placedText(text, path, held.current?.config ?? config)]),
      forget: (text) => {
        const found = textOfField(texts(), path)
        if (found?.text === text) put(without(found))
      },
    }),
    drop: (text) => {
      put(texts().filter((one) => !isSameJson(one, text)))
      return () => bringBack([text])
    },
    forgetBelow: (path) => put(textsBeside(texts(), path)),
    discard: () => {
      const before = texts()
      put(NONE)
      return () => bringBack(before)
    },
  }
}

interface HeldTexts {
  /** The texts in the storage. */
  stored: readonly PlacedText[]
  texts: readonly PlacedText[]
  /** The configuration in which they were placed. */
  config: JsonObject
}

/** Texts of the storage are located in the configuration, and follow each of its changes. */
function heldTexts(held: HeldTexts | null, stored: readonly PlacedText[], config: JsonObject): HeldTexts {
  const isKnown = held !== null && held.stored === stored
  if (isKnown && held.config === config) return held
  return { stored, texts: textsIn(isKnown ? held.texts : stored, config), config }
}
