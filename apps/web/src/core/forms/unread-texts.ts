/** Texts of the page that are no JSON yet, by a key of their field: its label. */
const unread = new Map<string, string>()

/** `label` null: the text of this field is read. */
export function noteUnreadText(key: string, label: string | null): void {
  if (label === null) unread.delete(key)
  else unread.set(key, label)
}

/** The label of a field whose text a save would leave out; null: there is none. */
export function unreadText(): string | null {
  const [label = null] = unread.values()
  return label
}
