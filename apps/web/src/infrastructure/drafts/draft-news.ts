import type { StoredDraft } from './uncommitted-drafts.ts'

/** What became of a draft in another tab of this browser; null: it was saved or given up. */
interface DraftNews {
  place: string
  draft: StoredDraft | null
}

const channel = new BroadcastChannel('troupe-drafts')
const listeners = new Map<string, Set<(draft: StoredDraft | null) => void>>()

channel.onmessage = ({ data }: MessageEvent<DraftNews>) => {
  for (const listener of listeners.get(data.place) ?? []) listener(data.draft)
}

/**
 * Tells the other tabs. One person has one edit of a thing, whichever tab shows it: with two of them, the tab that wrote last
 * would replace what was typed in the other.
 */
export function tellDraft(place: string, draft: StoredDraft | null): void {
  channel.postMessage({ place, draft } satisfies DraftNews)
}

/** Calls back for a draft until the returned function is called. */
export function onDraftNews(place: string, listener: (draft: StoredDraft | null) => void): () => void {
  const set = listeners.get(place) ?? new Set()
  listeners.set(place, set.add(listener))
  return () => {
    set.delete(listener)
    if (set.size === 0) listeners.delete(place)
  }
}
