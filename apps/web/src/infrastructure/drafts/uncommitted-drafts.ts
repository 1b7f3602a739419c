import { createValueStore } from '../client/value-store.ts'

/** A stored draft. */
export interface StoredDraft {
  value: unknown
  /** The version of the server that the edit was made from. */
  base: string
}

/**
 * Edits that the storage does not have yet, by their place. They outlive the component that made them, so that leaving
 * a page loses nothing even if the browser stores nothing.
 */
const uncommitted = new Map<string, StoredDraft>()
const refused = new Set<string>()

/** Whether an edit exists in this page only, because the browser's storage is full or forbidden. */
export const isOnlyInPage = createValueStore(false)

export function uncommittedDraft(place: string): StoredDraft | undefined {
  return uncommitted.get(place)
}

/** The keys of such edits with a prefix. */
export function uncommittedPlaces(prefix: string): string[] {
  return [...uncommitted.keys()].filter((place) => place.startsWith(prefix))
}

export function holdDraft(place: string, draft: StoredDraft): void {
  uncommitted.set(place, draft)
}

/** Records that the storage has it, unless it was edited again in the meantime. */
export function noteCommitted(place: string, draft: StoredDraft): void {
  if (uncommitted.get(place) === draft) uncommitted.delete(place)
  setRefused(place, false)
}

/** Records that the storage refused it. */
export function noteRefusedWrite(place: string): void {
  setRefused(place, uncommitted.has(place))
}

export function forgetUncommitted(place: string): void {
  uncommitted.delete(place)
  setRefused(place, false)
}

function setRefused(place: string, isRefused: boolean): void {
  if (isRefused) refused.add(place)
  else refused.delete(place)
  isOnlyInPage.set(refused.size > 0)
}
