/** Texts of the page that are not JSON yet, by a key of their field: its label. */
const unread = new Map<string, string>()

/** `label` null: the text of this field is read. */
export function noteUnreadText(key: string, label: string | null): void {
  if (label === null) unread.delete(key)
  else unread.set(key, label)
}

/** The label of a field whose text a save would omit; null: none. */
export function unreadText(): string | null {
  const [label = null] = unread.values()
  return label
}

const onForgotten = new Set<() => void>()

/** The edit of the page was discarded: each of these texts is replaced by the stored value. */
export function forgetUnreadTexts(): void {
  for (const listener of [...onForgotten]) listener()
}

/** Calls back when the edit was discarded; returns the unsubscribe function. */
export function onUnreadForgotten(listener: () => void): () => void {
  onForgotten.add(listener)
  return () => void onForgotten.delete(listener)
}
