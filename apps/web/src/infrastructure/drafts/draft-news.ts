import { forgetUncommitted, type StoredDraft } from './uncommitted-drafts.ts'

/** What became of a draft elsewhere; null: it was saved or given up. */
interface DraftNews {
  place: string
  draft: StoredDraft | null
}

const channel = new BroadcastChannel('troupe-drafts')
export type DraftListener = (draft: StoredDraft | null) => void

const listeners = new Map<string, Set<DraftListener>>()

channel.onmessage = ({ data }: MessageEvent<DraftNews>) => {
  // Theirs is newer: what this page could not write yet would come back as it is left.
  forgetUncommitted(data.place)
  for (const listener of listeners.get(data.place) ?? []) listener(data.draft)
}

/**
 * Tells the other tabs, and whoever else shows it in this one. One person has one edit of a thing, wherever it is shown: with
 * two of them, the one that wrote last would replace what was typed in the other.
 *
 * @param from whose news it is, which needs none
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
