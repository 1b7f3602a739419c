import { forgetUncommitted, type StoredDraft } from './uncommitted-drafts.ts'

/** The result of a draft in another tab; null: it was saved or discarded. */
interface DraftNews {
  place: string
  draft: StoredDraft | null
}

const channel = new BroadcastChannel('troupe-drafts')
export type DraftListener = (draft: StoredDraft | null) => void

const listeners = new Map<string, Set<DraftListener>>()

channel.onmessage = ({ data }: MessageEvent<DraftNews>) => {
  // Theirs is newer: this page's unwritten edit would be restored on its unload.
  forgetUncommitted(data.place)
  for (const listener of listeners.get(data.place) ?? []) listener(data.draft)
}

/**
 * Notifies the other tabs, and other components that show it in this one. A user has one edit of a resource, wherever it is shown:
 * with two of them, the last writer would replace the input of the other.
 *
 * @param from the sender, which needs no notification
 */
export function tellDraft(place: string, draft: StoredDraft | null, from?: DraftListener): void {
  channel.postMessage({ place, draft } satisfies DraftNews)
  for (const listener of listeners.get(place) ?? []) if (listener !== from) listener(draft)
}

/** Calls back for a draft until the returned function is called. */
export function onDraftNews(place: string, listener: DraftListener): () => void {
  const set = listeners.get(place) ?? new Set()
  listeners.set(place, set.add(listener))
  return () => {
    set.delete(listener)
    if (set.size === 0) listeners.delete(place)
  }
}
