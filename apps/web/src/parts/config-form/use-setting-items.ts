import { isJsonObject, type JsonObject } from '@troupe/contract'
import { useRef, useState } from 'react'
import { focusNext } from '../../atoms/focus/focus-next.ts'
import { keyedItems, NO_ITEMS } from '../../core/forms/item-keys.ts'
import { formWords as words } from '../../core/messages/en/agents/config-form.ts'
import { type ConfigForm, listAt } from './config-form.ts'
import { settingElementId } from './setting-element-id.ts'

/** What can be done with one item of a list of settings; absent: not with this one. */
export interface ItemMoves {
  up?: () => void
  down?: () => void
  duplicate(): void
  remove(): void
}

/** The items of a list of settings as the page shows them. */
export interface SettingItemList {
  /** A key that stays with the item when it is moved: what is open, typed and focused in it moves along. */
  keyOf(index: number): number
  movesOf(index: number): ItemMoves
  /** What was moved where, to be told to who does not see it. */
  said: string
}

/**
 * The items of the list at a path, and what can be done with them. The focus stays with an item that is moved, and goes to the
 * next one after one is removed.
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
  held.current = keyedItems(held.current, items)
  const { keys } = held.current
  const [said, setSaid] = useState('')
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
  return { keyOf: (index) => keys[index] ?? index, movesOf, said }
}

function menuOf(path: string, index: number): Element | null | undefined {
  return document
    .getElementById(settingElementId(`${path}.${index}`))
    ?.querySelector('[data-item-menu] button')
}

/** The button in the frame of a list that has no items. */
function addButton(path: string): Element | null | undefined {
  return document.getElementById(settingElementId(path))?.querySelector('button')
}

/** The list with the items at `index` and after it exchanged. */
function swapped(items: readonly unknown[], index: number): unknown[] {
  return items.toSpliced(index, 2, items[index + 1], items[index])
}

/** A copy whose name is another one, where it has a name. */
function copied(item: unknown): unknown {
  if (!isJsonObject(item)) return item
  const copy: JsonObject = { ...item }
  if (typeof copy.name === 'string') copy.name = `${copy.name}_2`.slice(-64)
  return copy
}
