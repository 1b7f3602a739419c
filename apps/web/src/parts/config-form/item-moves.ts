import { isJsonObject, type JsonObject } from '@troupe/contract'
import { type ConfigForm, listAt } from './config-form.ts'

/** What can be done with one item of a list of settings; absent: not with this one. */
export interface ItemMoves {
  up?: () => void
  down?: () => void
  duplicate(): void
  remove(): void
}

/** The moves of an item, by the path of its list. */
export function itemMoves(form: ConfigForm, path: string, index: number): ItemMoves {
  const items = listAt(form, path)
  return {
    ...(index > 0 ? { up: () => form.set(path, swapped(items, index - 1)) } : {}),
    ...(index < items.length - 1 ? { down: () => form.set(path, swapped(items, index)) } : {}),
    duplicate: () => form.set(path, items.toSpliced(index + 1, 0, copied(items[index]))),
    remove: () => form.set(`${path}.${index}`, undefined),
  }
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
