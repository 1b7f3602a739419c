import { isJsonObject, type JsonObject } from '@troupe/contract'

/** The value at a path such as `model.fallbacks.0.model_id`; undefined if there is none. '' is the value itself. */
export function valueAt(root: unknown, path: string): unknown {
  return keysOf(path).reduce<unknown>((holder, key) => {
    const isHolder = Array.isArray(holder) || isJsonObject(holder)
    return isHolder && Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined
  }, root)
}

/**
 * A copy of an object with another value at a path; missing parents are created as objects. Undefined removes the key, or the item of a
 * list.
 */
export function withValueAt(root: JsonObject, path: string, value: unknown): JsonObject {
  const changed = replaced(root, keysOf(path), value)
  return isJsonObject(changed) ? changed : root
}

function keysOf(path: string): string[] {
  return path === '' ? [] : path.split('.')
}

function replaced(holder: unknown, keys: readonly string[], value: unknown): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return value
  if (Array.isArray(holder)) {
    const items: unknown[] = [...holder]
    const index = Number(key)
    if (rest.length === 0 && value === undefined) items.splice(index, 1)
    else items[index] = replaced(items[index], rest, value)
    return items
  }
  const { [key]: before, ...others } = isJsonObject(holder) ? holder : {}
  if (rest.length === 0 && value === undefined) return others
  const known = isJsonObject(holder) ? holder : {}
  return { ...known, [key]: replaced(before, rest, value) }
}

/** Whether two JSON values are equal, whatever the order of their keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSameJson(item, b[index]))
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]))
  )
}
