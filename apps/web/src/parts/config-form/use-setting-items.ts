import { isJsonObject, type JsonObject } from '@troupe/contract'
import { type IdentifiedItems, identifiedAfter } from '@troupe/editor/values/item-ids'
import { isSameJson, valueAt } from '@troupe/editor/values/json-path'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { focusMade, focusNext } from '../../atoms/focus/focus-next.ts'
import { formWords as words } from '../../core/messages/en/agents/config-form.ts'
import { type ConfigForm, listAt } from './config-form.ts'
import { settingElementId } from './setting-element-id.ts'
import { onSettingShown } from './show-setting.ts'

/** The actions on one item of a list of settings; absent: none. */
export interface ItemMoves {
  up?: () => void
  down?: () => void
  duplicate(): void
  remove(): void
}

/** The items of a list of settings as the page shows them. */
export interface SettingItemList {
  /** A key that follows a moved item, with its open state, input and focus. */
  keyOf(index: number): string
  movesOf(index: number): ItemMoves
  /** Appends an item and focuses it. */
  add(item: unknown): void
  /** Whether it is the last added item in its initial state: a colleague may have replaced it. */
  isNew(index: number): boolean
  /** The form for the fields of an item: a field of a new item shows no error before it is changed or validated. */
  formOf(index: number): ConfigForm
  /** A move, announced to screen readers. */
  said: string
}

/**
 * The items of the list at a path, and the actions on them. The focus follows a moved item, and goes to the next one after a removal.
 *
 * @param nameOf the words of an item, by its index
 */
export function useSettingItems(
  form: ConfigForm,
  path: string,
  nameOf: (index: number) => string,
): SettingItemList {
  const items = listAt(form, path)
  const held = useRef(NO_ITEMS)
  const next = useRef(0)
  held.current = identifiedAfter(held.current, items, () => String(next.current++))
  const { ids } = held.current
  const [said, setSaid] = useState('')
  const { add, isNew, isAdded, isUntouched } = useAddedItem(form, path, ids, next)
  const move = (index: number, to: number) => {
    form.set(path, swapped(items, Math.min(index, to)))
    setSaid(words.moved(nameOf(index), to + 1))
    focusNext(() => menuOf(path, to))
  }
  const movesOf = (index: number): ItemMoves => ({
    ...(index > 0 ? { up: () => move(index, index - 1) } : {}),
    ...(index < items.length - 1 ? { down: () => move(index, index + 1) } : {}),
    duplicate: () => form.set(path, items.toSpliced(index + 1, 0, copied(items[index]))),
    remove: () => {
      form.set(`${path}.${index}`, undefined)
      focusNext(() => menuOf(path, index) ?? menuOf(path, index - 1) ?? addButton(path))
    },
  })
  const keyOf = (index: number) => ids[index] ?? String(index)
  const formOf = (index: number): ConfigForm => {
    if (!isAdded(index)) return form
    const own = (at: string) => isUntouched(at, `${path}.${index}`)
    return {
      ...form,
      errorAt: (at) => (own(at) ? null : form.errorAt(at)),
      errorWithin: (at) => (own(at) ? null : form.errorWithin(at)),
    }
  }
  return { keyOf, movesOf, add, isNew, formOf, said }
}

const NO_ITEMS: IdentifiedItems = { items: [], ids: [] }

/** The last added item, until a setting of the list that needs attention is requested. */
function useAddedItem(form: ConfigForm, path: string, ids: readonly string[], next: RefObject<number>) {
  const [added, setAdded] = useState<{ id: string; item: unknown; isAsked: boolean } | null>(null)
  useEffect(
    () =>
      onSettingShown((shown) => {
        if (shown.startsWith(`${path}.`)) setAdded((now) => now && { ...now, isAsked: true })
      }),
    [path],
  )
  return {
    add: (item: unknown) => {
      setAdded({ id: String(next.current), item, isAsked: false })
      const items = listAt(form, path)
      form.set(path, [...items, item])
      focusMade(() => firstFieldOf(path, items.length))
    },
    isNew: (index: number) => added !== null && listAt(form, path)[index] === added.item,
    isAdded: (index: number) => added !== null && ids[index] === added.id,
    /** Whether a setting of the item at `itemPath` is unchanged since it was added, and was not requested. */
    isUntouched: (at: string, itemPath: string) =>
      added !== null &&
      !added.isAsked &&
      at.startsWith(`${itemPath}.`) &&
      isSameJson(form.value(at), valueAt(added.item, at.slice(itemPath.length + 1))),
  }
}

function menuOf(path: string, index: number): Element | null | undefined {
  return document
    .getElementById(settingElementId(`${path}.${index}`))
    ?.querySelector('[data-item-menu] button')
}

/** The start of an item: its heading, if it can be opened, or else its first field. */
function firstFieldOf(path: string, index: number): Element | null | undefined {
  return document
    .getElementById(settingElementId(`${path}.${index}`))
    ?.querySelector(':is(summary, button, input):not([data-item-menu] *)')
}

/** The button in the frame of an empty list. */
function addButton(path: string): Element | null | undefined {
  return document.getElementById(settingElementId(path))?.querySelector('button')
}

/** The list with the items at `index` and after it exchanged. */
function swapped(items: readonly unknown[], index: number): unknown[] {
  return items.toSpliced(index, 2, items[index + 1], items[index])
}

/** A copy with a new name, if it has one. */
function copied(item: unknown): unknown {
  if (!isJsonObject(item)) return item
  const copy: JsonObject = { ...item }
  if (typeof copy.name === 'string') copy.name = `${copy.name}_2`.slice(-64)
  return copy
}
