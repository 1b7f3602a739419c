import { randomId } from '../client/random-id.ts'

const KEY = 'troupe.tab'

let known: string | null = null

/** The id of this tab, which survives a reload. If the storage is forbidden, it is that of this page. */
export function tabId(): string {
  known ??= readTab()
  return known
}

function readTab(): string {
  try {
    const found = sessionStorage.getItem(KEY) ?? randomId()
    sessionStorage.setItem(KEY, found)
    return found
  } catch {
    return randomId()
  }
}

/** Gives this tab a new id: it was duplicated from a living tab, together with its id. */
export function newTabId(): string {
  known = randomId()
  try {
    sessionStorage.setItem(KEY, known)
  } catch {
    // A forbidden storage had nothing to copy.
  }
  return known
}
