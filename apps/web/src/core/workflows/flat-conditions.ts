import { isJsonObject } from '@troupe/contract'

/** Whether conditions are comparisons of two texts or numbers each, without a group among them. */
export function isFlatConditions(list: unknown): list is Record<string, unknown>[] {
  return Array.isArray(list) && list.every(isComparison)
}

function isComparison(entry: unknown): boolean {
  // Like the server, by the key alone: a group has no sides of its own.
  return (
    isJsonObject(entry) && !Object.hasOwn(entry, 'conditions') && isText(entry.left) && isText(entry.right)
  )
}

function isText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string' || typeof value === 'number'
}
